/** Pairs of policies whose relation is known, each with the reason. */
import type { JsonValue, OperatorName, PolicyItemInput } from '../../src/index.js';

/** `forwards`: whether the first implies the second; `backwards`: whether the second implies the first. */
export interface Pair {
  readonly why: string;
  readonly first: PolicyItemInput;
  readonly second: PolicyItemInput;
  readonly forwards: 'yes' | 'no' | 'unknown';
  readonly backwards: 'yes' | 'no' | 'unknown';
}

const SAME = { forwards: 'yes', backwards: 'yes' } as const;
const FORWARDS = { forwards: 'yes', backwards: 'no' } as const;
const NEITHER = { forwards: 'no', backwards: 'no' } as const;

function a(operator: OperatorName, value?: JsonValue, claim = 'identity.x'): PolicyItemInput {
  return value === undefined ? { claim, operator } : { claim, operator, value };
}

function y(operator: OperatorName, value?: JsonValue): PolicyItemInput {
  return a(operator, value, 'identity.y');
}

function all(...allOf: readonly PolicyItemInput[]): PolicyItemInput {
  return { allOf };
}

function any(...anyOf: readonly PolicyItemInput[]): PolicyItemInput {
  return { anyOf };
}

function not(item: PolicyItemInput): PolicyItemInput {
  return { not: item };
}

export const PAIRS: readonly Pair[] = [
  { why: 'what is over 21 is over 18 (L17)', first: a('>=', 21), second: a('>=', 18), ...FORWARDS },
  { why: 'over and at least differ at the bound (L17)', first: a('>', 18), second: a('>=', 18), ...FORWARDS },
  {
    why: 'no double lies between 1 and the next (L17)',
    first: a('>', 1),
    second: a('>=', 1 + Number.EPSILON),
    ...SAME,
  },
  {
    why: 'a half lies between whole numbers: claims are not whole (L17)',
    first: a('>', 1),
    second: a('>=', 2),
    forwards: 'no',
    backwards: 'yes',
  },
  {
    why: 'both bounds at once leave one number (L17)',
    first: all(a('>=', 5), a('<=', 5)),
    second: a('==', 5),
    ...SAME,
  },
  { why: 'the two zeros are one (L16)', first: a('==', 0), second: a('==', -0), ...SAME },
  { why: 'a number and its numeral differ (L15, L16)', first: a('==', 1), second: a('==', '1'), ...NEITHER },
  { why: 'a list of one is an equality (L18)', first: a('in', ['PT']), second: a('==', 'PT'), ...SAME },
  {
    why: 'fewer countries, narrower (L18)',
    first: a('in', ['PT', 'ES']),
    second: a('in', ['ES', 'FR', 'PT']),
    ...FORWARDS,
  },
  {
    why: 'the order of a list is nothing (L18)',
    first: a('in', ['PT', 'ES']),
    second: a('in', ['ES', 'PT']),
    ...SAME,
  },
  {
    why: 'either of two is a list of two (L18, L19)',
    first: any(a('==', 1), a('==', 2)),
    second: a('in', [1, 2]),
    ...SAME,
  },
  { why: 'an empty list has nobody (L18)', first: a('in', []), second: a('==', 1), ...FORWARDS },
  {
    why: 'not in an empty list is being defined (L14, L18)',
    first: a('notIn', []),
    second: a('isDefined'),
    ...SAME,
  },
  { why: 'different is more than defined (L14)', first: a('!=', 1), second: a('isDefined'), ...FORWARDS },
  {
    why: 'not equal passes on an undefined claim, != does not (L14)',
    first: a('!=', 1),
    second: not(a('==', 1)),
    ...FORWARDS,
  },
  {
    why: 'defined and not equal is != (L14)',
    first: all(a('isDefined'), not(a('==', 1))),
    second: a('!=', 1),
    ...SAME,
  },
  { why: 'null is a value (L12)', first: a('==', null), second: a('isDefined'), ...FORWARDS },
  {
    why: 'not below is not at least: other types are neither (L15)',
    first: a('>=', 18),
    second: not(a('<', 18)),
    ...FORWARDS,
  },
  {
    why: 'a longer beginning is narrower (L18)',
    first: a('startsWith', 'abc'),
    second: a('startsWith', 'ab'),
    ...FORWARDS,
  },
  {
    why: 'two beginnings that part have nothing in common (L18)',
    first: all(a('startsWith', 'ab'), a('startsWith', 'ac')),
    second: a('==', 1),
    ...FORWARDS,
  },
  {
    why: 'an anchored literal is a beginning (L18)',
    first: a('matchRegex', '^ab'),
    second: a('startsWith', 'ab'),
    ...SAME,
  },
  {
    why: 'a literal between anchors is an equality (L18)',
    first: a('matchRegex', '^ab$'),
    second: a('==', 'ab'),
    ...SAME,
  },
  {
    why: 'a pattern is searched anywhere (L18)',
    first: a('matchRegex', '^ab'),
    second: a('matchRegex', 'ab'),
    ...FORWARDS,
  },
  {
    why: 'an alternation is a list (L18)',
    first: a('matchRegex', '^(PT|ES)$'),
    second: a('in', ['ES', 'PT']),
    ...SAME,
  },
  {
    why: 'four digits are digits (L18)',
    first: a('matchRegex', '^[0-9]{4}$'),
    second: a('matchRegex', '^\\d+$'),
    ...FORWARDS,
  },
  {
    why: 'what does not care for case is wider (L18)',
    first: a('matchRegex', '^pt$'),
    second: a('matchRegex', '(?i)^pt$'),
    ...FORWARDS,
  },
  {
    why: 'the Kelvin sign is a k to those who do not care for case (L18)',
    first: a('matchRegex', '(?i)^k$'),
    second: a('in', ['k', 'K', '\u212a']),
    ...SAME,
  },
  {
    why: 'a dot takes no newline (L18)',
    first: a('matchRegex', '^.$'),
    second: a('matchRegex', '(?s)^.$'),
    ...FORWARDS,
  },
  {
    why: 'a whole word is a part of the text (L18)',
    first: a('matchRegex', '\\bab\\b'),
    second: a('matchRegex', 'ab'),
    ...FORWARDS,
  },
  {
    why: 'a line of its own need not be the whole text (L18)',
    first: a('matchRegex', '^ab$'),
    second: a('matchRegex', '(?m)^ab$'),
    ...FORWARDS,
  },
  {
    why: 'an upper-case letter is a letter (L18)',
    first: a('matchRegex', '^\\p{Lu}+$'),
    second: a('matchRegex', '^\\pL+$'),
    ...FORWARDS,
  },
  {
    why: 'Greek has characters that are no letters, and there are letters that are not Greek (L18)',
    first: a('matchRegex', '^\\p{Greek}+$'),
    second: a('matchRegex', '^\\pL+$'),
    ...NEITHER,
  },
  {
    why: 'the case of letters beyond ASCII can be ignored (L18)',
    first: a('matchRegex', '^(?i)[éK]$'),
    second: a('in', ['é', 'É', 'k', 'K', '\u212a']),
    ...SAME,
  },
  {
    why: 'dates beside prefixes of some dates are beyond the analysis, but for an example that shows itself (L17)',
    first: all(a('>=', '2026-06-01'), a('startsWith', '2026-')),
    second: a('startsWith', '202'),
    forwards: 'unknown',
    backwards: 'no',
  },
  {
    why: 'a later day is after an earlier (L17)',
    first: a('>=', '2026-06-02'),
    second: a('>', '2026-06-01'),
    ...FORWARDS,
  },
  {
    why: 'a date is its midnight in UTC, however it is written (L17)',
    first: a('>=', '2026-06-01'),
    second: a('>=', '2026-06-01T02:00:00+02:00'),
    ...SAME,
  },
  {
    why: 'numbers are no dates (L15, L17)',
    first: all(a('>', 0), a('>', '2026-06-01')),
    second: a('==', 'a'),
    ...FORWARDS,
  },
  {
    why: 'what holds two elements holds one (L18)',
    first: all(a('contains', 1), a('contains', 2)),
    second: a('contains', 2),
    ...FORWARDS,
  },
  {
    why: 'an array that is named holds what it holds (L16, L18)',
    first: a('==', [1, 2]),
    second: a('contains', 2),
    ...FORWARDS,
  },
  {
    why: 'members have no order (L16)',
    first: a('==', { b: 1, c: 2 }),
    second: a('==', { c: 2, b: 1 }),
    ...SAME,
  },
  {
    why: 'a longer path reaches into an object (L13)',
    first: a('==', { b: 1 }),
    second: a('isDefined', undefined, 'identity.x.b'),
    ...FORWARDS,
  },
  {
    why: 'but a claim of its own speaks before it (L13)',
    first: a('==', { b: 1 }),
    second: a('==', 1, 'identity.x.b'),
    ...NEITHER,
  },
  {
    why: 'De Morgan (L19)',
    first: not(all(a('==', 1), y('==', 2))),
    second: any(not(a('==', 1)), not(y('==', 2))),
    ...SAME,
  },
  {
    why: 'one of three claims that exclude each other (L19)',
    first: all(any(a('==', 1), y('==', 1)), not(a('isDefined'))),
    second: y('isDefined'),
    ...FORWARDS,
  },
  {
    why: 'what stands in every alternative stands before them (L19)',
    first: any(all(a('>', 1), y('==', 1)), all(a('>', 1), y('==', 2))),
    second: all(a('>', 1), y('in', [1, 2])),
    ...SAME,
  },
];
