/** A check has the same outcome in every position: alone, before or after another check, in `allOf` and in `anyOf` (L14–L19). */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type JsonValue } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

const NOW = Date.UTC(2026, 5, 1);

function claimsOf(value: JsonValue | undefined): ClaimSet {
  const claims = {
    'a.other': 1,
    'a.text': 'x'.repeat(25),
    ...(value === undefined ? {} : { 'a.claim': value }),
  };
  return ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims }], NOW);
}

/** Every kind of compiled check: operator, operand, passing values, failing values. */
const FORMS: readonly [
  operator: string,
  operand: JsonValue | undefined,
  passing: JsonValue[],
  failing: JsonValue[],
][] = [
  ['==', 'a', ['a'], ['b', 1, null]],
  ['==', 1, [1], [2, '1', true]],
  ['==', 0, [0, -0], ['', false, null]],
  ['==', true, [true], [false, 1, 'true']],
  ['==', false, [false], [true, 0, 'false', null]],
  ['==', null, [null], [0, '', false]],
  ['==', [1, { b: 2 }], [[1, { b: 2 }]], [[1], {}, '1']],
  ['!=', 'a', ['b', 1, null, []], ['a']],
  ['!=', 1, [2, '1', null], [1]],
  ['!=', null, [0, ''], [null]],
  ['!=', { b: 1 }, [{}, 1], [{ b: 1 }]],
  ['>', 1, [2], [1, 0, '2', null]],
  ['>=', 1, [1, 2], [0, '1']],
  ['<', 1, [0], [1, '0', null, false]],
  ['<=', 1, [1, 0], [2, '0']],
  ['>', '2026-01-01', ['2026-01-02'], ['2026-01-01', '2025-01-01', 5, 'soon']],
  ['>=', '2026-01-01', ['2026-01-01'], ['2025-12-31T23:59:59Z', 5]],
  ['<', '2026-01-01', ['2025-12-31'], ['2026-01-01', 'soon', 5]],
  ['<=', '2026-01-01', ['2026-01-01'], ['2026-01-02', null]],
  ['in', ['a'], ['a'], ['b', null, 'A']],
  ['in', ['a', 1], ['a', 1], ['1', true]],
  ['in', [null, 0, 'b'], [null, 0, -0, 'b'], ['0', false, '']],
  ['in', ['a', 'b', 'c', 1], ['a', 'c', 1], ['d', '1', null, []]],
  ['in', ['a', [1]], ['a', [1]], [[2], 1]],
  ['in', ['a', 'b', 'c', 'd'], ['a', 'd'], ['e', '', 1, null]],
  ['in', [], [], ['a', null]],
  ['notIn', ['a'], ['b', null, 1], ['a']],
  ['notIn', ['a', 'b', 'c', 1], ['d', '1', null], ['b', 1]],
  ['notIn', ['a', { b: 1 }], ['b', {}], ['a', { b: 1 }]],
  ['notIn', ['a', 'b', 'c', 'd'], ['e', '', 1, null], ['a', 'd']],
  ['contains', 'a', [['a'], ['b', 'a']], [['b'], 'a', null]],
  ['contains', { b: 1 }, [[{ b: 1 }]], [[{}], { b: 1 }]],
  ['startsWith', 'ab', ['ab', 'abc'], ['a', 1, null]],
  ['matchRegex', 'a+b', ['xaab'], ['b', 1]],
  ['isDefined', undefined, [null, 0, ''], []],
];

describe.each(FORMS)('the check %s %j', (operator, operand, passing, failing) => {
  const check = { claim: 'a.claim', operator, ...(operand === undefined ? {} : { value: operand }) };
  const [pass, fail] = [
    { claim: 'a.other', operator: '==', value: 1 },
    { claim: 'a.other', operator: '==', value: 2 },
  ];
  // Cheaper checks are evaluated first, so these are costlier than any check under test.
  const [passLater, failLater] = [
    { claim: 'a.text', operator: 'matchRegex', value: 'x{20,40}y?' },
    { claim: 'a.text', operator: 'matchRegex', value: 'x{30,40}y?' },
  ];
  const policies: readonly [position: string, policy: unknown, expected: (passes: boolean) => boolean][] = [
    ['alone', { allOf: [check] }, (passes) => passes],
    ['before a passing check in allOf', { allOf: [check, passLater] }, (passes) => passes],
    ['before a failing check in allOf', { allOf: [check, failLater] }, () => false],
    ['before a passing check in anyOf', { anyOf: [check, passLater] }, () => true],
    ['before a failing check in anyOf', { anyOf: [check, failLater] }, (passes) => passes],
    ['after another check in allOf', { allOf: [pass, check] }, (passes) => passes],
    ['after another check in anyOf', { anyOf: [fail, check] }, (passes) => passes],
    ['negated before another check in allOf', { allOf: [{ not: check }, passLater] }, (passes) => !passes],
    ['negated before another check in anyOf', { anyOf: [{ not: check }, failLater] }, (passes) => !passes],
    [
      'in a group before another check',
      { allOf: [{ anyOf: [check, failLater] }, passLater] },
      (passes) => passes,
    ],
    ['in a group after another check', { anyOf: [fail, { allOf: [pass, check] }] }, (passes) => passes],
    [
      'in a group within a group of the same kind',
      { allOf: [{ allOf: [check, passLater] }, passLater] },
      (passes) => passes,
    ],
  ];

  it.each(policies)('has the same outcome in this position: %s', (_title, policy, expected) => {
    const query = compile({ policy });
    const values = [...passing.map((value) => [value, true]), ...failing.map((value) => [value, false])];
    for (const [value, passes] of [...values, [undefined, false]] as [JsonValue | undefined, boolean][]) {
      const claims = claimsOf(value);
      expect(query.test(claims), JSON.stringify(value)).toBe(expected(passes));
      // With this catalogue, no granted scope is needed to read a claim.
      const withAllScopes = compile(
        { policy },
        { catalogue: { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] } },
      );
      expect(withAllScopes.evaluate(claims, { now: NOW, scopes: [] })).toMatchObject({
        passed: expected(passes),
      });
    }
  });
});
