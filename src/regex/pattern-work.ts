/** Estimates the work of compiling a pattern with re2js, from its text (S176). */

import { toLiteralPattern } from './literal-pattern.js';

/** Steps of any pattern, however short. */
const PATTERN = 16;
/** Steps of a group: a marker at its start and one at its end, and it may be empty. */
const GROUP = 3;
/** Steps of an alternative: a choice, and it may be empty. */
const ALTERNATIVE = 2;
/** Steps of `*`, `+` and `?`: a choice, and another one where the repeated part may be empty. */
const REPETITION = 2;
/** RE2 rejects larger counts. */
const MAX_COUNT = 1_000;
/** Steps of a Unicode class: hundreds of ranges are sorted and merged. */
const UNICODE_CLASS = 256;
/** Number of characters whose other cases re2js looks up in the time of one step. */
const FOLDED_CHARACTERS = 16;
/** The first and the last character that has another case. */
const [FIRST_FOLDED, LAST_FOLDED] = [0x41, 0x1_e943];

const HEXADECIMAL = 16;
const OCTAL = 8;
const FIRST_BEYOND_ASCII = 0x80;

const UNICODE_CLASSES = /\\[pP]/g;

/** Flags that ignore case. */
const IGNORES_CASE = /\(\?[A-Za-z]*i/;

/** Every hyphen that may join a range, with the characters on both sides of it. */
const RANGE =
  /(?<=(?<!\\)(?:\\\\)*\\x\{(?<fromHex>[\dA-Fa-f]+)\}|(?<from>.))-(?=\\x\{?(?<toHex>[\dA-Fa-f]+)|\\(?<toOctal>[0-7]{1,3})|\\?(?<to>.))/gsu;

/** Quoted text, escapes, classes, flags, groups and counted repetitions; every other character is a separate part. */
const PART =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\\x\{[\dA-Fa-f]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?|(?<flags>\(\?[A-Za-z-]*\))|(?<open>\()(?:\?(?:P?<\w*>|[A-Za-z-]*:))?|(?<close>\))|(?<or>\|)|(?<repeat>[*+?])|\{(?<least>0|[1-9]\d*)(?:,(?<most>0|[1-9]\d*|))?\}|./gsu;

/** The steps of a group so far. */
interface Steps {
  /** Steps of all parts except the last. */
  readonly before: number;
  /** Steps of the last part, which a repetition multiplies. */
  readonly last: number;
}

const NO_STEPS: Steps = { before: 0, last: 0 };

/**
 * Estimates the steps of compiling a pattern, of about 0.5 µs each: the instructions of its program with all repetitions expanded and
 * nothing simplified, and the work of its classes. Never too low for patterns that RE2 accepts; it rejects others before
 * it expands repetitions. Linear in the pattern's length. Never throws.
 */
export function estimatePatternWork(pattern: string): number {
  // A literal pattern is a substring search.
  if (toLiteralPattern(pattern) !== undefined) return PATTERN;
  return PATTERN + pattern.length + estimateProgram(pattern) + estimateClasses(pattern);
}

function estimateProgram(pattern: string): number {
  const around: Steps[] = [];
  let group = NO_STEPS;
  const push = (last: number) => {
    group = { before: group.before + group.last, last };
  };
  for (const { groups = {} } of pattern.matchAll(PART)) {
    const { quoted, flags, open, close, or, repeat, least, most } = groups;
    if (open !== undefined) {
      around.push(group);
      group = NO_STEPS;
    } else if (close !== undefined) {
      const steps = total(group) + GROUP;
      group = around.pop() ?? NO_STEPS;
      push(steps);
    } else if (or !== undefined) {
      push(ALTERNATIVE);
    } else if (repeat !== undefined) {
      group = { ...group, last: group.last + REPETITION };
    } else if (least !== undefined) {
      group = { ...group, last: repeated(group.last, Number(least), most) };
    } else if (flags === undefined && quoted !== '') {
      // A repetition after an empty part applies to the part before it.
      push(quoted?.length ?? 1);
    }
  }
  return around.reduce((sum, outer) => sum + total(outer), total(group));
}

/** The steps of a part that is repeated; `most` is empty where there is no upper bound. */
function repeated(steps: number, least: number, most: string | undefined): number {
  const count = Math.max(least, most === undefined || most === '' ? least : Number(most), 1);
  if (count > MAX_COUNT) return steps;
  const optional = most === '' ? REPETITION : count - least;
  return steps * count + optional;
}

function total({ before, last }: Steps): number {
  return before + last;
}

function estimateClasses(pattern: string): number {
  const unicode = pattern.match(UNICODE_CLASSES)?.length ?? 0;
  return unicode * UNICODE_CLASS + (IGNORES_CASE.test(pattern) ? estimateFolding(pattern) : 0);
}

/** Estimates the folding of ranges: re2js folds each of their characters. */
function estimateFolding(pattern: string): number {
  let characters = 0;
  for (const { groups = {} } of pattern.matchAll(RANGE)) {
    const { fromHex, from, toHex, toOctal, to } = groups;
    const first = fromHex === undefined ? codePoint(from) : Number.parseInt(fromHex, HEXADECIMAL);
    const last =
      toHex !== undefined
        ? Number.parseInt(toHex, HEXADECIMAL)
        : toOctal !== undefined
          ? Number.parseInt(toOctal, OCTAL)
          : codePoint(to);
    // An ASCII character may be the end of an escape.
    const least = first < FIRST_BEYOND_ASCII ? FIRST_FOLDED : first;
    characters += Math.max(0, Math.min(last, LAST_FOLDED) - least + 1);
  }
  return Math.ceil(characters / FOLDED_CHARACTERS);
}

function codePoint(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0;
}
