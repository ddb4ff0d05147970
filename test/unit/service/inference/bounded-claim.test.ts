/** Bounded claims: within a piece, every check has one outcome, and the pieces contain every value once (S347). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CatalogueClaim,
  type Check,
  ClaimSet,
  compile,
  formatInstant,
  type InferenceBound,
} from '../../../../src/engine/index.js';
import { re2js } from '../../../../src/regex/re2js.js';
import { createDerivedClaims } from '../../../../src/service/claims/derived-claims.js';
import { createServiceCatalogue, DEFAULT_CATALOGUE } from '../../../../src/service/index.js';
import { createBoundedClaims } from '../../../../src/service/inference/bounded-claim.js';

const DAY = 86_400_000;
const BORN_FROM = Date.UTC(1996, 0, 1);
const NOW = Date.UTC(2024, 1, 29);

/** @param derived - The derivation of a further claim, `identity.born_in_may`. */
function boundedClaim(path: string, inferenceBound: InferenceBound, derived?: CatalogueClaim['derived']) {
  const claims = DEFAULT_CATALOGUE.claims.flatMap((claim): readonly CatalogueClaim[] => {
    if (claim.path !== path) return [claim];
    const more = { ...claim, path: 'identity.born_in_may', type: 'boolean' } as const;
    return [{ ...claim, inferenceBound }, ...(derived === undefined ? [] : [{ ...more, derived }])];
  });
  const catalogue = createServiceCatalogue({ ...DEFAULT_CATALOGUE, claims });
  const bounded = createBoundedClaims(catalogue, createDerivedClaims(catalogue, re2js)).get(path);
  if (bounded === undefined) throw new Error(`${path} is not bounded`);
  return bounded;
}

const ordering = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
const membership = fc.constantFrom('in', 'notIn');

/** Checks with operands of a kind, alone and in lists. */
function checksOn(claim: string, operand: fc.Arbitrary<unknown>): fc.Arbitrary<Check> {
  return fc.oneof(
    fc.record({ claim: fc.constant(claim), operator: ordering, value: operand }),
    fc.record({
      claim: fc.constant(claim),
      operator: membership,
      value: fc.array(operand, { maxLength: 3 }),
    }),
  ) as fc.Arbitrary<Check>;
}

/** Checks on a boolean, which has no order. */
function truth(claim: string): fc.Arbitrary<Check> {
  const operator = fc.constantFrom('==' as const, '!=' as const);
  return fc.record({ claim: fc.constant(claim), operator, value: fc.boolean() });
}

const date = fc
  .integer({ min: BORN_FROM / DAY - 3, max: NOW / DAY + 3 })
  .map((day) => formatInstant(day * DAY).slice(0, 10));
const instant = fc
  .integer({ min: BORN_FROM / DAY, max: NOW / DAY })
  .map((day) => formatInstant(day * DAY + 43_200_000));
const birthCheck = fc.oneof(
  checksOn('identity.date_of_birth', fc.oneof(date, date, instant)),
  checksOn(
    'identity.age',
    fc.oneof(fc.integer({ min: -2, max: 30 }), fc.double({ min: 0, max: 28, noNaN: true })),
  ),
  truth('identity.age_over_18'),
  truth('identity.age_over_21'),
);
/** Days on which the check is asked, including leap days and, in other years, the days around the end of February. */
const askedAt = fc.oneof(
  fc.integer({ min: Date.UTC(2015, 0, 1) / DAY, max: NOW / DAY }).map((day) => day * DAY),
  fc.constantFrom(Date.UTC(2020, 1, 29), Date.UTC(2023, 1, 28), Date.UTC(2023, 2, 1), NOW),
);

describe('a bounded claim', () => {
  it('divides dates of birth such that every check has the same outcome for all days of a piece', () => {
    const claim = boundedClaim('identity.date_of_birth', { years: 5, from: '1996-01-01' });
    const property = fc.property(
      fc.array(fc.record({ check: birthCheck, at: askedAt }), { minLength: 1, maxLength: 2 }),
      (timed) => {
        const pieces = claim.divide(timed, NOW);
        const starts = pieces.map(({ value }) => Date.parse(String(value)) / DAY);
        expect(pieces.reduce((sum, { size }) => sum + size, 0)).toBe((NOW - BORN_FROM) / DAY + 1);
        for (const { check, at } of timed) {
          const query = compile({ check }, { catalogue: 'none' });
          const passes = (day: number) =>
            query.test(claim.claimsAt(formatInstant(day * DAY).slice(0, 10), at));
          for (const [index, { size }] of pieces.entries()) {
            const start = starts[index] ?? 0;
            // At least 40 days of each piece, or all, and its last one.
            const step = Math.max(1, Math.floor(size / 40));
            const expected = passes(start);
            for (let day = start; day < start + size; day += step) expect(passes(day)).toBe(expected);
            expect(passes(start + size - 1)).toBe(expected);
          }
        }
      },
    );
    fc.assert(property, { numRuns: 150, seed: 7 });
  });

  it('divides numbers such that every check has the same outcome for all numbers of a piece', () => {
    const claim = boundedClaim('financial.net_worth', { width: 10_000, from: 0, to: 200_000 });
    const amount = fc.oneof(
      fc.integer({ min: -10, max: 200_010 }),
      fc.double({ min: 0, max: 200_000, noNaN: true }),
    );
    const check = fc.oneof(checksOn('financial.net_worth', amount), truth('financial.net_worth_above_10k'));
    const property = fc.property(check, amount, (asked, value) => {
      const pieces = claim.divide([{ check: asked, at: 0 }], 0);
      const query = compile({ check: asked }, { catalogue: 'none' });
      const passes = (number: number) => query.test(claim.claimsAt(number, 0));
      if (value < 0 || value > 200_000) return;
      const points = pieces.filter(({ size }) => size === 0).map((piece) => Number(piece.value));
      const isPoint = points.includes(value);
      const same = pieces.find((piece) => {
        if (isPoint || piece.size === 0) return isPoint && piece.value === value;
        const next = points.find((point) => point > Number(piece.value)) ?? Number.POSITIVE_INFINITY;
        const before = points.findLast((point) => point < Number(piece.value)) ?? Number.NEGATIVE_INFINITY;
        return before < value && value < next;
      });
      expect(passes(Number(same?.value))).toBe(passes(value));
    });
    fc.assert(property, { numRuns: 2_000, seed: 7 });
  });

  it('has a separate piece for every country', () => {
    const claim = boundedClaim('identity.country_of_residence', { values: 3 });
    const pieces = claim.divide([], 0);
    expect(pieces.length).toBeGreaterThan(200);
    expect(claim.claimsAt('PT', 0)).toEqual(
      ClaimSet.of({ 'identity.country_of_residence': 'PT', 'identity.residency_region': 'Europe' }),
    );
    const inEurope = compile(
      { check: { claim: 'identity.residency_region', operator: '==', value: 'Europe' } },
      { catalogue: 'none' },
    );
    expect(pieces.filter(({ value }) => inEurope.test(claim.claimsAt(value, 0))).length).toBeGreaterThan(40);
  });

  it('cannot be divided by the characters of a date', () => {
    const claim = boundedClaim('identity.date_of_birth', { years: 5, from: '1996-01-01' });
    const check = { claim: 'identity.date_of_birth', operator: 'startsWith', value: '199' } as const;
    expect(claim.isDivisible(check)).toBe(false);
    expect(claim.isDivisible({ ...check, claim: 'identity.age' })).toBe(true);
  });

  // S347
  it.each([
    { operator: 'startsWith', value: '1990-05-1' },
    { operator: 'matchRegex', value: '-05-' },
  ] as const)('cannot be divided by a claim that is derived from it by `$operator`', (rule) => {
    const derived = { parent: 'identity.date_of_birth', check: rule };
    const claim = boundedClaim('identity.date_of_birth', { years: 5, from: '1900-01-01' }, derived);
    const check = { claim: 'identity.born_in_may', operator: '==', value: true } as const;
    expect(claim.isDivisible(check)).toBe(false);
  });
});
