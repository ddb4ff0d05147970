/** Pairs of policies with a known relation; the titles give the reason. */
import type { JsonValue, OperatorName, PolicyItemInput } from '../../src/index.js';

/** `forwards`: whether the first implies the second; `backwards`: whether the second implies the first. */
export interface Pair {
  readonly title: string;
  readonly first: PolicyItemInput;
  readonly second: PolicyItemInput;
  readonly forwards: 'yes' | 'no' | 'unknown';
  readonly backwards: 'yes' | 'no' | 'unknown';
}

const SAME = { forwards: 'yes', backwards: 'yes' } as const;
const FORWARDS = { forwards: 'yes', backwards: 'no' } as const;
const NEITHER = { forwards: 'no', backwards: 'no' } as const;

function x(operator: OperatorName, value?: JsonValue, claim = 'identity.x'): PolicyItemInput {
  return value === undefined ? { claim, operator } : { claim, operator, value };
}

function y(operator: OperatorName, value?: JsonValue): PolicyItemInput {
  return x(operator, value, 'identity.y');
}

function allOf(...items: readonly PolicyItemInput[]): PolicyItemInput {
  return { allOf: items };
}

function anyOf(...items: readonly PolicyItemInput[]): PolicyItemInput {
  return { anyOf: items };
}

function not(item: PolicyItemInput): PolicyItemInput {
  return { not: item };
}

export const PAIRS: readonly Pair[] = [
  { title: '`>= 21` implies `>= 18` (L17)', first: x('>=', 21), second: x('>=', 18), ...FORWARDS },
  {
    title: '`>` implies `>=`, which also passes at the bound (L17)',
    first: x('>', 18),
    second: x('>=', 18),
    ...FORWARDS,
  },
  {
    title: '`> 1` is equivalent to `>=` the next double (L17)',
    first: x('>', 1),
    second: x('>=', 1 + Number.EPSILON),
    ...SAME,
  },
  {
    title: '`>= 2` implies `> 1`, which also passes for fractions between (L17)',
    first: x('>', 1),
    second: x('>=', 2),
    forwards: 'no',
    backwards: 'yes',
  },
  {
    title: 'equal bounds are equivalent to an equality (L17)',
    first: allOf(x('>=', 5), x('<=', 5)),
    second: x('==', 5),
    ...SAME,
  },
  { title: '0 and -0 are equal (L16)', first: x('==', 0), second: x('==', -0), ...SAME },
  {
    title: 'a number does not equal its numeral (L15, L16)',
    first: x('==', 1),
    second: x('==', '1'),
    ...NEITHER,
  },
  {
    title: 'a list of one value is equivalent to an equality (L18)',
    first: x('in', ['PT']),
    second: x('==', 'PT'),
    ...SAME,
  },
  {
    title: 'a sublist implies the list (L18)',
    first: x('in', ['PT', 'ES']),
    second: x('in', ['ES', 'FR', 'PT']),
    ...FORWARDS,
  },
  {
    title: 'the order of a list is irrelevant (L18)',
    first: x('in', ['PT', 'ES']),
    second: x('in', ['ES', 'PT']),
    ...SAME,
  },
  {
    title: 'alternative equalities are equivalent to a list (L18, L19)',
    first: anyOf(x('==', 1), x('==', 2)),
    second: x('in', [1, 2]),
    ...SAME,
  },
  { title: 'an empty list never passes (L18)', first: x('in', []), second: x('==', 1), ...FORWARDS },
  {
    title: '`notIn` an empty list is equivalent to `isDefined` (L14, L18)',
    first: x('notIn', []),
    second: x('isDefined'),
    ...SAME,
  },
  { title: '`!=` implies `isDefined` (L14)', first: x('!=', 1), second: x('isDefined'), ...FORWARDS },
  {
    title: '`!=` implies a negated equality, which also passes for an undefined claim (L14)',
    first: x('!=', 1),
    second: not(x('==', 1)),
    ...FORWARDS,
  },
  {
    title: '`isDefined` with a negated equality is equivalent to `!=` (L14)',
    first: allOf(x('isDefined'), not(x('==', 1))),
    second: x('!=', 1),
    ...SAME,
  },
  { title: 'null counts as defined (L12)', first: x('==', null), second: x('isDefined'), ...FORWARDS },
  {
    title: '`>=` implies a negated `<`, which also passes for other types (L15)',
    first: x('>=', 18),
    second: not(x('<', 18)),
    ...FORWARDS,
  },
  {
    title: 'a longer prefix implies a shorter one (L18)',
    first: x('startsWith', 'abc'),
    second: x('startsWith', 'ab'),
    ...FORWARDS,
  },
  {
    title: 'two different prefixes never pass together (L18)',
    first: allOf(x('startsWith', 'ab'), x('startsWith', 'ac')),
    second: x('==', 1),
    ...FORWARDS,
  },
  {
    title: 'a pattern of an anchored literal is equivalent to `startsWith` (L18)',
    first: x('matchRegex', '^ab'),
    second: x('startsWith', 'ab'),
    ...SAME,
  },
  {
    title: 'a pattern of a literal between anchors is equivalent to an equality (L18)',
    first: x('matchRegex', '^ab$'),
    second: x('==', 'ab'),
    ...SAME,
  },
  {
    title: 'a pattern without an anchor matches anywhere (L18)',
    first: x('matchRegex', '^ab'),
    second: x('matchRegex', 'ab'),
    ...FORWARDS,
  },
  {
    title: 'a pattern of alternative literals is equivalent to a list (L18)',
    first: x('matchRegex', '^(PT|ES)$'),
    second: x('in', ['ES', 'PT']),
    ...SAME,
  },
  {
    title: 'a pattern of four digits implies a pattern of one or more digits (L18)',
    first: x('matchRegex', '^[0-9]{4}$'),
    second: x('matchRegex', '^\\d+$'),
    ...FORWARDS,
  },
  {
    title: 'a pattern implies its case-insensitive form (L18)',
    first: x('matchRegex', '^pt$'),
    second: x('matchRegex', '(?i)^pt$'),
    ...FORWARDS,
  },
  {
    title: 'a case-insensitive k matches the Kelvin sign (L18)',
    first: x('matchRegex', '(?i)^k$'),
    second: x('in', ['k', 'K', '\u212a']),
    ...SAME,
  },
  {
    title: 'a dot does not match a newline (L18)',
    first: x('matchRegex', '^.$'),
    second: x('matchRegex', '(?s)^.$'),
    ...FORWARDS,
  },
  {
    title: 'a match at word boundaries implies a match anywhere (L18)',
    first: x('matchRegex', '\\bab\\b'),
    second: x('matchRegex', 'ab'),
    ...FORWARDS,
  },
  {
    title: 'anchors of the text imply anchors of a line (L18)',
    first: x('matchRegex', '^ab$'),
    second: x('matchRegex', '(?m)^ab$'),
    ...FORWARDS,
  },
  {
    title: 'upper-case letters are letters (L18)',
    first: x('matchRegex', '^\\p{Lu}+$'),
    second: x('matchRegex', '^\\pL+$'),
    ...FORWARDS,
  },
  {
    title: 'the Greek script and letters overlap, but neither contains the other (L18)',
    first: x('matchRegex', '^\\p{Greek}+$'),
    second: x('matchRegex', '^\\pL+$'),
    ...NEITHER,
  },
  {
    title: 'case-insensitive matching covers letters beyond ASCII (L18)',
    first: x('matchRegex', '^(?i)[éK]$'),
    second: x('in', ['é', 'É', 'k', 'K', '\u212a']),
    ...SAME,
  },
  {
    title: 'an ordering of dates combined with a prefix is unknown, unless a counterexample is found (L17)',
    first: allOf(x('>=', '2026-06-01'), x('startsWith', '2026-')),
    second: x('startsWith', '202'),
    forwards: 'unknown',
    backwards: 'no',
  },
  {
    title: '`>=` a later day implies `>` an earlier one (L17)',
    first: x('>=', '2026-06-02'),
    second: x('>', '2026-06-01'),
    ...FORWARDS,
  },
  {
    title: 'a date equals its midnight in UTC, in any offset (L17)',
    first: x('>=', '2026-06-01'),
    second: x('>=', '2026-06-01T02:00:00+02:00'),
    ...SAME,
  },
  {
    title: 'bounds on numbers and on dates never pass together (L15, L17)',
    first: allOf(x('>', 0), x('>', '2026-06-01')),
    second: x('==', 'a'),
    ...FORWARDS,
  },
  {
    title: 'containing two elements implies containing one of them (L18)',
    first: allOf(x('contains', 1), x('contains', 2)),
    second: x('contains', 2),
    ...FORWARDS,
  },
  {
    title: 'equality with an array implies `contains` for its elements (L16, L18)',
    first: x('==', [1, 2]),
    second: x('contains', 2),
    ...FORWARDS,
  },
  {
    title: 'the order of members is irrelevant (L16)',
    first: x('==', { b: 1, c: 2 }),
    second: x('==', { c: 2, b: 1 }),
    ...SAME,
  },
  {
    title: 'equality with an object implies that its members are defined (L13)',
    first: x('==', { b: 1 }),
    second: x('isDefined', undefined, 'identity.x.b'),
    ...FORWARDS,
  },
  {
    title: 'a claim with the longer path takes precedence over the member of an object (L13)',
    first: x('==', { b: 1 }),
    second: x('==', 1, 'identity.x.b'),
    ...NEITHER,
  },
  {
    title:
      'equality with an object does not imply that members of its members are defined: an unread claim may hide them (L13)',
    first: x('==', { b: { c: 1 } }),
    second: x('isDefined', undefined, 'identity.x.b.c'),
    ...NEITHER,
  },
  {
    title:
      'equality with an object implies that members of its members are defined if the claim between has the value of the member (L13)',
    first: allOf(x('==', { b: { c: 1 } }), x('==', { c: 1 }, 'identity.x.b')),
    second: x('isDefined', undefined, 'identity.x.b.c'),
    ...FORWARDS,
  },
  {
    title: 'a negated conjunction is equivalent to a disjunction of negations (De Morgan) (L19)',
    first: not(allOf(x('==', 1), y('==', 2))),
    second: anyOf(not(x('==', 1)), not(y('==', 2))),
    ...SAME,
  },
  {
    title: 'a disjunction without its failing alternative implies the other alternative (L19)',
    first: allOf(anyOf(x('==', 1), y('==', 1)), not(x('isDefined'))),
    second: y('isDefined'),
    ...FORWARDS,
  },
  {
    title: 'a check common to all alternatives can be factored out (L19)',
    first: anyOf(allOf(x('>', 1), y('==', 1)), allOf(x('>', 1), y('==', 2))),
    second: allOf(x('>', 1), y('in', [1, 2])),
    ...SAME,
  },
];
