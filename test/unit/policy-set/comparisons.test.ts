/** Tests bounds between the points of the grid on which policy sets compare numbers and dates, and bytes with a valid checksum. */
import { describe, expect, it } from 'vitest';
import { ClaimSet, compilePredicate } from '../../../src/index.js';
import { decodePolicySet, encodePolicySet } from '../../../src/policy-set/encoding.js';
import { createPolicySet, policySetFromBytes } from '../../../src/policy-set/index.js';

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
])('%s are compared exactly, whether an entry, a program or a function decides', (_, bounds, values) => {
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
});

describe('bytes with a valid checksum that are not a policy set', () => {
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
    ['a list is missing', { groups: undefined }],
    ['a number is no integer', { policies: [0.5, 1] }],
    ['a form does not exist', { checks: [99, 0, 1, 0] }],
    ['a form has too many values', { checks: [12, 0, 2, 0, 0] }],
    ['a check has the index of no claim', { checks: [12, 9, 1, 0] }],
    ['a check has the index of no value', { checks: [12, 0, 1, 99] }],
    ['a check is incomplete', { checks: [12, 0, 1] }],
    ['a check has a negative number of values', { checks: [12, 0, -3] }],
    ['an ordering operator compares with `null`', { values: [null], checks: [15, 0, 1, 0] }],
    ['a value is an object', { values: [{}] }],
    ['a group has a member after it', { groups: [1, 1, 99] }],
    ['a group has no members', { groups: [1, 0] }],
    ['a kind of groups does not exist', { groups: [4, 1, 0] }],
    ['a negation has two members', { groups: [3, 2, 0, 1] }],
    ['a policy has no item', { policies: [0, 99] }],
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
});
