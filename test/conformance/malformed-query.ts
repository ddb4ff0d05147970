/** Random queries for comparisons of problem lists: malformed in many places at once, and around every limit (L1–L9). */
import * as fc from 'fast-check';
import { OPERATOR_NAMES } from '../../src/engine/operators/operators.js';
import { arbitraryJsonQuery, jsonValue, mutatedQuery, query } from '../../src/testing/index.js';

const ODD_NAMES = [
  '',
  '__proto__',
  'a/b~c',
  'é',
  'vlaeu',
  `claim${' '.repeat(28)}`,
  'n'.repeat(256),
  'n'.repeat(257),
];
const CLAIMS = ['x.a', 'x.b', 'x.a.b.c.d.e.f.g', 'x.a.b.c.d.e.f.g.h', 'x', 'x..a', '__proto__.a', ''];
const LONG_CLAIMS = [`x.${'a'.repeat(254)}`, `x.${'a'.repeat(255)}`, '!'.repeat(257)];
const INSTANTS = ['2026-02-28', '2026-02-29', '2016-12-31T23:59:60Z', '2026-01-01T00:00', '2026-01-01'];
const PATTERNS = [
  'a',
  '(',
  '(?=a)',
  'a{251}',
  'a{252}',
  'a{1001}',
  'b'.repeat(254),
  'b'.repeat(512),
  'b'.repeat(513),
];

/** Patterns that are valid alone; two different ones in a query exceed `limit_pattern_work`. */
const EXPENSIVE_PATTERNS = ['', 'a', 'b', 'c'].map((end) => `${'\\pL'.repeat(7)}${end}`);

/** Queries, most of them with several problems. */
export function malformedQuery(): fc.Arbitrary<unknown> {
  const { query: malformed } = fc.letrec<{ query: unknown; policy: unknown; item: unknown }>((tie) => ({
    query: choice({ check: check(), policy: tie('policy'), projections: list(projection(), 65) }),
    policy: choice({
      allOf: list(tie('item'), 257),
      anyOf: list(tie('item'), 40),
      not: negated(tie('item')),
    }),
    item: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 4, arbitrary: check() },
      { weight: 2, arbitrary: check().map((wrapped) => ({ check: wrapped })) },
      { weight: 2, arbitrary: tie('policy') },
      { weight: 1, arbitrary: tie('policy').map((wrapped) => ({ policy: wrapped })) },
      { weight: 1, arbitrary: tie('policy').map(deepened) },
      { weight: 1, arbitrary: ambiguousItem(tie('item')) },
      { weight: 1, arbitrary: jsonValue() },
    ),
  }));
  return fc.oneof(
    { weight: 6, arbitrary: malformed },
    { weight: 1, arbitrary: query() },
    { weight: 1, arbitrary: mutatedQuery() },
    { weight: 1, arbitrary: arbitraryJsonQuery() },
  );
}

function check(): fc.Arbitrary<unknown> {
  return record({ claim: claim(), operator: operator(), value: operand() });
}

function projection(): fc.Arbitrary<unknown> {
  const field = fc.oneof(fc.constantFrom<unknown>('a', 'b', 'c'.repeat(4_097), 1), fc.string());
  const members = {
    claim: claim(),
    lens: fc.constantFrom<unknown>('pluck', 'pick', 'at', 'att', null),
    fields: fc.oneof(list(field, 1_001), jsonValue()),
    index: fc.constantFrom<unknown>(0, -0, -1, 2 ** 53, 1.5, '0', null),
  };
  return record(members);
}

function ambiguousItem(item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const members = {
    check: check(),
    policy: choice({ not: item }),
    claim: claim(),
    operator: operator(),
    value: operand(),
    allOf: list(item, 3),
    not: negated(item),
  };
  return record(members);
}

function claim(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...CLAIMS) },
    { weight: 1, arbitrary: fc.constantFrom(...LONG_CLAIMS) },
    { weight: 1, arbitrary: jsonValue() },
  );
}

function operator(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(...OPERATOR_NAMES) },
    { weight: 2, arbitrary: fc.constant('matchRegex') },
    { weight: 1, arbitrary: fc.constantFrom<unknown>('=', 'isdefned', null, 3, '__proto__') },
  );
}

function operand(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: jsonValue() },
    { weight: 2, arbitrary: fc.constantFrom(...INSTANTS, ...PATTERNS) },
    { weight: 2, arbitrary: fc.constantFrom(...EXPENSIVE_PATTERNS) },
    { weight: 3, arbitrary: largeOperand() },
  );
}

/** Arrays and objects with parts at and above the limits, and with numbers that are not JSON. */
function largeOperand(): fc.Arbitrary<unknown> {
  const depth = fc.constantFrom(14, 15, 16);
  const part = fc.oneof(
    fc.constantFrom<unknown>(Infinity, 's'.repeat(4_096), 's'.repeat(4_097), 0),
    depth.map((levels) => nested(levels)),
    fc.constantFrom(990, 997, 1_000).map((length) => Array.from({ length }, () => 0)),
  );
  const name = fc.oneof(fc.constantFrom(...ODD_NAMES, 'n'.repeat(4_097)), fc.string());
  const entry = fc.tuple(name, fc.oneof(part, jsonValue()));
  return fc.oneof(
    part,
    fc.array(part, { maxLength: 3 }),
    fc.array(entry, { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  );
}

function nested(levels: number): unknown {
  return levels === 0 ? [] : [nested(levels - 1)];
}

/** Nests a policy in 13 negations, which can exceed the maximum depth. */
function deepened(policy: unknown): unknown {
  return Array.from({ length: 13 }).reduce<unknown>((inner) => ({ not: { policy: inner } }), policy);
}

function negated(item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: item }, { weight: 2, arbitrary: fc.array(item, { maxLength: 3 }) });
}

/** Short arrays, and some that repeat an element. */
function list(element: fc.Arbitrary<unknown>, longest: number): fc.Arbitrary<unknown> {
  const repeated = fc
    .tuple(element, fc.constantFrom(longest - 1, longest))
    .map(([each, length]) => Array.from({ length }, () => each));
  return fc.oneof(
    { weight: 20, arbitrary: fc.array(element, { maxLength: 3 }) },
    { weight: 1, arbitrary: repeated },
    { weight: 1, arbitrary: jsonValue() },
  );
}

/** Objects with most of the given members. */
function record(members: MemberValues): fc.Arbitrary<unknown> {
  const entries = Object.entries(members).map(([name, value]) => fc.option(entry(name, value), { freq: 6 }));
  return withOthers(fc.tuple(...entries).map((drawn) => drawn.filter((each) => each !== null)));
}

/** Objects that mostly have one of the given members. */
function choice(members: MemberValues): fc.Arbitrary<unknown> {
  const one = fc.oneof(...Object.entries(members).map(([name, value]) => entry(name, value)));
  return fc.oneof(
    { weight: 6, arbitrary: withOthers(one.map((each) => [each])) },
    { weight: 1, arbitrary: record(members) },
  );
}

type MemberValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Entry = readonly [name: string, value: unknown];

/** A member; its name is misspelt at times. */
function entry(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Entry> {
  const [first = '', second = '', ...rest] = name;
  const misspelt = [
    name.toUpperCase(),
    ` ${name} `,
    `${name}s`,
    name.slice(0, -1),
    `${name.slice(0, -1)}x`,
    [second, first, ...rest].join(''),
  ];
  const spelled = fc.oneof(
    { weight: 9, arbitrary: fc.constant(name) },
    { weight: 1, arbitrary: fc.constantFrom(...misspelt) },
  );
  return fc.tuple(spelled, value);
}

/** Adds unknown members to some objects, and to a few of them more than the limit allows. */
function withOthers(entries: fc.Arbitrary<readonly Entry[]>): fc.Arbitrary<unknown> {
  const other = fc.tuple(fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string()), jsonValue());
  const others = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(other, { minLength: 1, maxLength: 2 }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(28, 31, 32)
        .map((length) => Array.from({ length }, (_, n) => [`m${n}`, n] as const)),
    },
  );
  return fc.tuple(entries, others).map((drawn) => Object.fromEntries(drawn.flat()));
}
