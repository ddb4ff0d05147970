/** Tests comparisons with bounds between the points of the grid of policy sets, and invalid bytes with a valid checksum. */
import { describe, expect, it } from 'vitest';
import { ClaimSet, compilePredicate, type JsonValue } from '../../../src/index.js';
import { ClaimTable } from '../../../src/policy-set/claim-table.js';
import { type KeyKind, keysOfPerson } from '../../../src/policy-set/comparison.js';
import { decodePolicySet, encodePolicySet } from '../../../src/policy-set/encoding.js';
import { numberOf, pointOf } from '../../../src/policy-set/grid.js';
import { createPolicySet, policySetFromBytes } from '../../../src/policy-set/index.js';
import { ValueTable } from '../../../src/policy-set/value-table.js';

const BOUNDS = [
  0,
  1,
  -1,
  0.1,
  -0.1,
  1 / 3,
  65_535,
  65_537,
  99_947,
  1_000_001,
  1_000_001.5,
  -1_000_001,
  2 ** -12,
  2 ** -13,
  5e-324,
  2 ** 51,
  2 ** 53,
  1e300,
  -1e300,
  Number.MAX_VALUE,
];
const DATES = [
  '1970-01-01',
  '2026-01-31',
  '2026-01-31T00:00:00.001Z',
  '2026-01-31T12:00:00Z',
  '1969-12-31T23:59:59.999Z',
];
const OPERATORS = ['>', '>=', '<', '<='];

it.each(BOUNDS.filter((bound) => Number.isInteger(pointOf(bound))))(
  '%d is unchanged by the conversion to a point and back',
  (bound) => {
    expect(numberOf(pointOf(bound))).toBe(bound);
  },
);

it.each<[kind: KeyKind, value: JsonValue]>([
  ['trigram', 'abc'.repeat(10)],
  ['element', ['a', 'b', 'a', 'b', 'b']],
])('a claim has each key of the kind %s once, however often its value has it', (kind, value) => {
  const claims = new ClaimTable(new ValueTable());
  const claim = claims.numberOf('a.b');
  claims.begin(ClaimSet.of({ 'a.b': value }));
  const keys = [...keysOfPerson(kind, claim, claims)];
  expect(keys).toHaveLength(kind === 'trigram' ? 3 : 2);
  expect(new Set(keys).size).toBe(keys.length);
});

// S437
it.each([
  [
    'numbers',
    BOUNDS,
    BOUNDS.flatMap((bound) =>
      [bound, bound + 1e-9, bound - 1e-9, bound * (1 + 2 ** -52), bound * 1.000_01].filter(Number.isFinite),
    ),
  ],
  ['dates', DATES, [...DATES, '2026-01-30T23:59:59.999Z', '2026-02-01', 7, 'x']],
])(
  '%s are compared exactly, whether an index entry, a program or a function decides',
  (_, bounds, values) => {
    const set = createPolicySet();
    const expected = new Map<string, ReturnType<typeof compilePredicate>>();
    for (const bound of bounds) {
      for (const operator of OPERATORS) {
        const check = { claim: 'a.value', operator, value: bound };
        const fillers = ['b', 'c', 'd'].map((name) => ({ claim: `a.${name}`, operator: 'isDefined' }));
        const queries = [
          { check },
          { policy: { not: check } },
          { policy: { allOf: [{ claim: 'a.key', operator: '==', value: 'k' }, check] } },
          { policy: { allOf: [{ claim: 'a.key', operator: '==', value: 'k' }, { not: check }] } },
          {
            policy: {
              allOf: [
                { claim: 'a.key', operator: '==', value: 'k' },
                ...fillers,
                { anyOf: [check, { not: check }] },
                check,
              ],
            },
          },
        ];
        for (const query of queries) {
          const id = `policy ${expected.size}`;
          set.add(id, query);
          expected.set(id, compilePredicate(query, { catalogue: 'none' }));
        }
      }
    }
    const copy = policySetFromBytes(set.toBytes());
    for (const value of values) {
      const claims = ClaimSet.of({ 'a.value': value, 'a.key': 'k', 'a.b': 1, 'a.c': 1, 'a.d': 1 });
      const passing = [...expected].filter(([, query]) => query.test(claims)).map(([id]) => id);
      expect(set.match(claims)).toEqual(passing);
      expect(copy.match(claims)).toEqual(passing);
    }
  },
);

/** Returns the bytes of a set with another body and the checksum of that body. */
function withChecksum(body: Buffer): Uint8Array {
  const checksum = body.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01_00_01_93), 0x81_1c_9d_c5) >>> 0;
  return Buffer.concat([Buffer.from(`proviso-policy-set 4 ${checksum.toString(16)}\n`), body]);
}

/** Returns groups, each a kind, a number of members and the members, with the members of each in reverse order. */
function withReversedMembers(groups: ArrayLike<number>): readonly number[] {
  const integers = Array.from(groups);
  const reversed: number[] = [];
  while (reversed.length < integers.length) {
    const start = reversed.length + 2;
    const head = integers.slice(start - 2, start);
    reversed.push(...head, ...integers.slice(start, start + (head[1] ?? 0)).reverse());
  }
  return reversed;
}

describe('bytes with a valid checksum', () => {
  const set = createPolicySet();
  set.add('one', { check: { claim: 'a.age', operator: '>=', value: 18 } });
  set.add('two', {
    policy: {
      anyOf: [
        { claim: 'a.country', operator: 'in', value: ['PT', 'ES'] },
        { claim: 'a.tags', operator: 'contains', value: 'x' },
      ],
    },
  });
  const contents = decodePolicySet(set.toBytes());

  // S438
  it.each([
    ['a list is missing', { claims: undefined }],
    ['a form does not exist', { checks: [99, 0, 1, 0] }],
    ['a form has too many values', { checks: [12, 0, 2, 0, 0] }],
    ['a check has an index beyond the claims', { checks: [12, 9, 1, 0] }],
    ['a check has an index beyond the values', { checks: [12, 0, 1, 99] }],
    ['a check is incomplete', { checks: [12, 0, 1] }],
    ['a check has a negative number of values', { checks: [12, 0, -3] }],
    ['an ordering operator compares with `null`', { values: [null], checks: [15, 0, 1, 0] }],
    ['a value is an object', { values: [{}] }],
    ['a list has a value twice', { checks: [9, 0, 2, 0, 0] }],
    ['a list is not in ascending order', { checks: [9, 0, 2, 1, 0] }],
    ['a prefix is a number', { values: [1], checks: [33, 0, 1, 0] }],
    ['a tested check has two values', { checks: [32, 0, 2, 0, 1] }],
    ['an operator of tested checks does not exist', { checks: [34, 0, 1, 0] }],
    ['a tested check has no value', { tested: [['a.tags', 'isDefined']] }],
    ['a group has a negative number of members', { groups: [1, -2] }],
    ['a group has a negative member', { groups: [1, 1, -1] }],
    ['a policy has a negative item', { policies: [0, -1] }],
    ['a group refers to an item after it', { groups: [1, 1, 99] }],
    ['a group has no members', { groups: [1, 0] }],
    ['a group has a kind that does not exist', { groups: [4, 1, 0] }],
    ['a negation has two members', { groups: [3, 2, 0, 1] }],
    ['a policy refers to an item that does not exist', { policies: [0, 99] }],
    ['a policy has no id', { ids: ['one'] }],
    ['an id is empty', { ids: ['one', ''] }],
  ])('are rejected where %s', (_, change) => {
    const forged = encodePolicySet({ ...contents, ...change } as typeof contents);
    expect(() => policySetFromBytes(forged)).toThrow(
      expect.objectContaining({ name: 'PolicySetError', code: 'invalid_bytes' }),
    );
  });

  // S438
  it('are rejected where a claim, an operator or an id is not valid', () => {
    const reject = (change: object) => () => policySetFromBytes(encodePolicySet({ ...contents, ...change }));
    expect(reject({ claims: ['no path', 'a.country'] })).toThrow(
      expect.objectContaining({ name: 'QueryError' }),
    );
    expect(reject({ tested: [['a.tags', 'is', 'x']] })).toThrow(
      expect.objectContaining({ name: 'QueryError' }),
    );
    expect(reject({ ids: ['one', 'one'] })).toThrow(expect.objectContaining({ code: 'policy_exists' }));
  });

  // S438
  it.each([
    ['the last integer is missing', (body: Buffer) => body.subarray(0, -1)],
    ['a list is missing', (body: Buffer) => body.subarray(0, -3)],
    ['there is a further list', (body: Buffer) => Buffer.concat([body, Buffer.of(0)])],
    ['a digit is missing', (body: Buffer) => Buffer.concat([body, Buffer.of(0x80)])],
    ['the JSON is incomplete', (body: Buffer) => body.subarray(1)],
    [
      'a number is too large',
      (body: Buffer) => Buffer.from(body.toString('latin1').replace('18,', '1e999,'), 'latin1'),
    ],
  ])('are rejected where %s', (_, change) => {
    const bytes = set.toBytes();
    const body = Buffer.from(bytes.subarray(bytes.indexOf(0x0a) + 1));
    expect(policySetFromBytes(withChecksum(body)).size).toBe(2);
    expect(() => policySetFromBytes(withChecksum(change(body)))).toThrow(
      /not a policy set|must be a finite number/,
    );
  });

  // S438
  it('give correct verdicts, whatever conditions and order of members they state', () => {
    const set = createPolicySet();
    const checks = [
      { claim: 'a.x', operator: '==', value: 1 },
      { claim: 'a.y', operator: '>', value: 2 },
      { not: { claim: 'a.z', operator: 'startsWith', value: 'z' } },
    ];
    set.add('all', { policy: { allOf: checks } });
    set.add('any', { policy: { anyOf: checks } });
    set.add('one', { check: { claim: 'a.tags', operator: 'contains', value: 'z' } });
    const contents = decodePolicySet(set.toBytes());
    const orders = [contents.groups, withReversedMembers(contents.groups)];
    const conditionLists = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [-1, 99, 5], []];
    const variants = orders.flatMap((groups) => conditionLists.map((conditions) => ({ groups, conditions })));
    expect(orders[1]).not.toEqual(Array.from(contents.groups));
    for (const variant of variants) {
      const copy = policySetFromBytes(encodePolicySet({ ...contents, ...variant }));
      expect(copy.match(ClaimSet.of({ 'a.x': 1, 'a.y': 3, 'a.z': 'a' }))).toEqual(['all', 'any']);
      expect(copy.match(ClaimSet.of({ 'a.x': 2, 'a.y': 3, 'a.z': 'z', 'a.tags': ['z'] }))).toEqual([
        'any',
        'one',
      ]);
      expect(copy.match(ClaimSet.of({ 'a.z': 'z' }))).toEqual([]);
      expect(copy.stats().residual).toBe(1);
      expect(copy.delete('any')).toBe(true);
      expect(copy.stats().residual).toBe(0);
    }
  });

  // S438
  it('give correct verdicts even if they contain the same item twice', () => {
    const twice = {
      ...contents,
      ...{
        claims: ['a.x', 'a.x'],
        values: [1, 1, 2],
        tested: [
          ['a.x', '==', 1],
          ['a.x', '==', 1],
        ],
      },
      ...{
        checks: [12, 0, 1, 0, 12, 1, 1, 1, 9, 0, 2, 0, 2, 9, 0, 2, 1, 2],
        groups: [1, 2, 0, 1, 1, 2, 1, 0, 2, 1, 6],
      },
      ...{ ids: ['0', '1', '2', '3', '4', '5', '6'], policies: [0, 1, 2, 3, 4, 6, 8] },
    } as unknown as typeof contents;
    const copy = policySetFromBytes(encodePolicySet(twice));
    const equal = { check: { claim: 'a.x', operator: '==', value: 1 } };
    copy.add('added', equal);
    copy.add('both', { policy: { allOf: [equal, equal] } });
    for (const id of ['0', '3', 'added', '5']) expect(copy.delete(id)).toBe(true);
    copy.add('again', equal);
    expect(copy.match(ClaimSet.of({ 'a.x': 1 })).toSorted()).toEqual(['1', '2', '4', '6', 'again', 'both']);
    expect(copy.match(ClaimSet.of({ 'a.x': 2 }))).toEqual(['2']);
    expect(policySetFromBytes(copy.toBytes()).match(ClaimSet.of({ 'a.x': 2 }))).toEqual(['2']);
  });
});
