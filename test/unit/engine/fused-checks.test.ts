/** Fused checks, which read, test and continue in one closure. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuseCheck } from '../../../src/engine/compile/fused-checks.js';
import { FAIL, PASS, type PlannedCheck } from '../../../src/engine/compile/plan.js';
import { OPERATORS } from '../../../src/engine/operators/operators.js';
import { ClaimSet } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

// L14–L18
it('fused checks pass exactly when the test of their operator passes', () => {
  const text = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('true', '1', 'a', 'b', 'ab', ''));
  const number = fc.oneof(
    fc.integer({ min: -2, max: 2 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(-0),
  );
  const list = fc.array(text, { maxLength: 6 });
  const check = fc.oneof(
    fc.record({ operator: fc.constantFrom('==', '!='), value: fc.oneof(text, number, fc.boolean()) }),
    fc.record({ operator: fc.constant('startsWith' as const), value: text }),
    fc.record({ operator: fc.constantFrom('>', '>=', '<', '<='), value: number }),
    fc.record({ operator: fc.constantFrom('in', 'notIn'), value: list }),
  );
  const value = fc.oneof(text, number, fc.boolean(), fc.constant(null), list);
  fc.assert(
    fc.property(check, value, ({ operator, value: operand }, actual) => {
      const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': actual } }], 0);
      const passes = OPERATORS[operator].test(operand as never)(actual);
      const query = { check: { claim: 'a.b', operator, value: operand } };
      expect(compile(query).test(claims)).toBe(passes);
      // A fused check has a separate form for each position: other items follow if it passes, if it fails, or in both cases. These other items
      // are more expensive, so they are evaluated later; they do not change the outcome.
      const failing = { check: { claim: 'a.c', operator: 'contains', value: 1 } };
      const passing = { policy: { not: failing } };
      const continuesOnPass = { policy: { allOf: [query, passing] } };
      const continuesOnFail = { policy: { anyOf: [query, failing] } };
      const continuesOnBoth = { policy: { anyOf: [{ policy: { allOf: [query, passing] } }, failing] } };
      for (const policy of [continuesOnPass, continuesOnFail, continuesOnBoth])
        expect(compile(policy).test(claims)).toBe(passes);
      expect(compile({ policy: { not: query } }).test(claims)).toBe(!passes);
    }),
    { seed: 20_261_123, numRuns: 5_000 },
  );
});

const DIRECT = { path: 'a.b', slot: 1, parents: [] };

/** Creates a planned check with only the members that `fuseCheck` reads. */
function planned(operator: PlannedCheck['operator'], operand: unknown, claim: object = DIRECT): PlannedCheck {
  return { operator, operand, claim } as unknown as PlannedCheck;
}

it.each([
  ['==', true],
  ['==', 'a'],
  ['!=', 'a'],
  ['>', 1],
  ['>=', 1],
  ['<', 1],
  ['<=', 1],
  ['in', ['a', 'b', 'c']],
  ['in', ['a', 'b', 'c', 'd']],
  ['notIn', ['a']],
  ['startsWith', 'a'],
] as const)('the frequent check %s %j is fused', (operator, operand) => {
  expect(fuseCheck(planned(operator, operand), PASS, FAIL)).toBeTypeOf('function');
});

it.each([
  ['==', false],
  ['==', 1],
  ['==', null],
  ['!=', true],
  ['!=', 1],
  ['>', '2026-01-01'],
  ['>=', '2026-01-01'],
  ['<', '2026-01-01'],
  ['<=', '2026-01-01'],
  ['in', ['a', 1]],
  ['in', [1]],
  ['notIn', [1, 'a']],
  ['in', 'a'],
  ['startsWith', 1],
  ['contains', 'a'],
  ['matchRegex', { programSize: 1, test: () => true }],
  ['isDefined', undefined],
] as const)('the check %s %j is compiled from the table of operators', (operator, operand) => {
  expect(fuseCheck(planned(operator, operand), PASS, FAIL)).toBeUndefined();
});

it('a check of a claim that may be a member of another one, or has no slot, is compiled from the table of operators', () => {
  const parent = { path: 'a.b', slot: 1, members: ['c'] };
  for (const claim of [
    { ...DIRECT, parents: [parent] },
    { ...DIRECT, slot: -1 },
  ])
    expect(fuseCheck(planned('==', true, claim), PASS, FAIL)).toBeUndefined();
});
