/** Asserts which strings can be dates and date-times, for claims that patterns or prefixes also read (L17). */
import type { Alphabet } from './character-sets.js';
import { type PatternTree, toSearch } from './pattern-tree.js';

/** The characters of dates, which must be in the alphabet. */
export const DATE_CHARACTERS = '0123456789-+:.TtZz';

const DIGIT = character('\\d');
const HYPHEN = character('-');
const OFFSET = sequence(character('[-+]'), digits(2), character(':'), digits(2));
const FRACTION = optional(sequence(character('\\.'), { kind: 'repeat', part: DIGIT, least: 1 }));
const TIME = [character('[Tt]'), digits(2), character(':'), digits(2), character(':'), digits(2), FRACTION];

/** The form of every date and date-time. */
const DATE_FORM = whole(
  digits(4),
  HYPHEN,
  digits(2),
  HYPHEN,
  digits(2),
  optional(sequence(...TIME, choice(character('[Zz]'), OFFSET))),
);

/** Days that every month of every year has. */
const COMMON_DAY = whole(
  digits(4),
  HYPHEN,
  choice(sequence(character('0'), character('[1-9]')), sequence(character('1'), character('[0-2]'))),
  HYPHEN,
  choice(
    sequence(character('0'), character('[1-9]')),
    sequence(character('1'), DIGIT),
    sequence(character('2'), character('[0-8]')),
  ),
);

/**
 * Relates `s` (the string of the claim) to `d` (whether it is a date or a date-time): every date has the form of one, and every common day is a
 * date. Which other days and which date-times exist is not translated: arithmetic over the digits of a string is beyond both solvers. So the
 * assertions admit more claims than the calendar does: `unsat` is a proof, but `sat` may be due to a claim that cannot exist.
 */
export function dateForm(index: number, alphabet: Alphabet): readonly string[] {
  return [
    `(assert (=> d${index} (str.in_re s${index} ${toSearch(DATE_FORM, alphabet)})))`,
    `(assert (=> (str.in_re s${index} ${toSearch(COMMON_DAY, alphabet)}) d${index}))`,
  ];
}

function character(source: string): PatternTree {
  return { kind: 'character', source };
}

function sequence(...parts: readonly PatternTree[]): PatternTree {
  return { kind: 'sequence', parts };
}

function choice(...parts: readonly PatternTree[]): PatternTree {
  return { kind: 'choice', parts };
}

function optional(part: PatternTree): PatternTree {
  return { kind: 'repeat', part, least: 0, most: 1 };
}

function digits(count: number): PatternTree {
  return { kind: 'repeat', part: DIGIT, least: count, most: count };
}

function whole(...parts: readonly PatternTree[]): PatternTree {
  return sequence({ kind: 'assertion', assertion: 'textStart' }, ...parts, {
    kind: 'assertion',
    assertion: 'textEnd',
  });
}
