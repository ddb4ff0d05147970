/** What is inferred from answers to random queries: it includes the true values and none that the answers exclude, also as a query (L12–L19). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interval, PossibleValues } from '../../src/analysis/domains/possible-values.js';
import { type Answer, inferKnowledge, toKnownQuery } from '../../src/analysis/index.js';
import { fitsClaimType } from '../../src/engine/claims/claim-type.js';
import {
  CLAIM_TYPES,
  ClaimSet,
  findClaim,
  type JsonValue,
  jsonEquals,
  type PolicyItemInput,
  parseInstant,
  toClaimReference,
} from '../../src/index.js';
import { compile } from '../support/with-re2js.js';
import { ANY_COST, holdsForAll, itemsAndClaims, passes, regex } from './law.js';

function answerTo(item: PolicyItemInput, passed: boolean): Answer {
  return { query: { policy: { allOf: [item] } }, passed, at: 0 };
}

function isWithin(value: number, intervals: readonly Interval[]): boolean {
  return intervals.some(
    ({ low, includesLow, high, includesHigh }) =>
      (includesLow ? value >= low : value > low) && (includesHigh ? value <= high : value < high),
  );
}

function matches(pattern: string, value: string): boolean {
  const query = { check: { claim: 'test.x', operator: 'matchRegex', value: pattern } };
  return compile(query, { regex, limits: ANY_COST }).test(ClaimSet.of({ 'test.x': value }));
}

/** Whether a value is among possible values. */
function admits(values: PossibleValues, value: JsonValue | undefined): boolean {
  if (value === undefined) return values.undefined;
  if (value === null) return values.null;
  if (typeof value === 'boolean') return values.booleans.includes(value);
  if (typeof value === 'number') return isWithin(value, values.numbers);
  if (typeof value === 'string') {
    const { named, excluded, prefixes, excludedPrefixes, nonDates, instants } = values.strings;
    const instant = parseInstant(value);
    if (values.strings.matches.some((pattern) => !matches(pattern, value))) return false;
    if (values.strings.mismatches.some((pattern) => matches(pattern, value))) return false;
    if (instant !== undefined && instants !== undefined && !isWithin(instant, instants)) return false;
    if (named.includes(value)) return true;
    const longest = [...prefixes, ...excludedPrefixes]
      .filter((prefix) => value.startsWith(prefix))
      .reduce((one, other) => (other.length > one.length ? other : one), '');
    if (excluded.includes(value) || (instant === undefined && !nonDates)) return false;
    return prefixes.includes(longest);
  }
  if (Array.isArray(value)) {
    const { contains, lacks } = values.arrays;
    const has = (element: JsonValue) => value.some((one: JsonValue) => jsonEquals(one, element));
    if (contains.some((element) => !has(element)) || lacks.some(has)) return false;
  }
  const { named, excluded, others } = Array.isArray(value) ? values.arrays : values.objects;
  const isAmong = (list: readonly JsonValue[]) => list.some((one) => jsonEquals(one, value));
  return isAmong(named) || (others && !isAmong(excluded));
}

describe('the knowledge from answers to random queries', () => {
  // S366
  it('contains the true value of each claim, for random policies', () => {
    const drawn = fc.integer({ min: 1, max: 5 }).chain(itemsAndClaims);
    let decided = 0;
    holdsForAll(
      drawn,
      ({ items, claims }) => {
        const answers = items.map((item) => answerTo(item, passes(item, claims)));
        for (const { claim, values } of inferKnowledge(answers, { regex })) {
          const value = findClaim(claims, toClaimReference(claim))?.value;
          if (!admits(values, value)) expect({ claim, value, values, answers }).toBe('consistent');
          if (!values.undefined) decided += 1;
        }
      },
      600,
    );
    expect(decided).toBeGreaterThan(150);
  });

  it('contains no value that the answers exclude', () => {
    const universe = [undefined, null, true, 0, 0.5, 1, 1.5, 2, 3, 'a', 'ab', 'b', '2026-01-01', ['a'], {}];
    const operands = fc.constantFrom<JsonValue>(0, 1, 2, 'a', 'ab', '2026-01-01', ['a'], true, null);
    const claim = fc.constantFrom('test.x', 'test.y');
    const check = fc.oneof(
      fc.record({ claim, operator: fc.constantFrom('==', '!=', 'contains'), value: operands }),
      fc.record({ claim, operator: fc.constantFrom('in', 'notIn'), value: fc.array(operands) }),
      fc.record({ claim, operator: fc.constantFrom('<', '>='), value: fc.constantFrom(0, 1, '2026-01-01') }),
      fc.record({ claim, operator: fc.constant('startsWith'), value: fc.constantFrom('a', 'ab', '') }),
      fc.record({ claim, operator: fc.constant('isDefined') }),
    );
    const both = fc.tuple(check, check);
    const item = fc.oneof(
      check,
      both.map((allOf) => ({ allOf })),
      both.map((anyOf) => ({ anyOf })),
    ) as fc.Arbitrary<PolicyItemInput>;
    const value = fc.constantFrom(...universe);
    const claimsOf = (x: JsonValue | undefined, y: JsonValue | undefined) =>
      ClaimSet.of({
        ...(x === undefined ? {} : { 'test.x': x }),
        ...(y === undefined ? {} : { 'test.y': y }),
      });
    let excluded = 0;
    holdsForAll(
      fc.tuple(fc.array(item, { minLength: 1, maxLength: 4 }), value, value),
      ([items, x, y]) => {
        const queries = items.map((one) => compile({ policy: { allOf: [one] } }));
        const truth = queries.map((query) => query.test(claimsOf(x, y)));
        const answers = items.map((one, index) => answerTo(one, truth[index] as boolean));
        const agree = universe.flatMap((a) =>
          universe.flatMap((b) =>
            queries.every((query, index) => query.test(claimsOf(a, b)) === truth[index]) ? [[a, b]] : [],
          ),
        );
        for (const known of inferKnowledge(answers)) {
          expect(known.incomplete).toBeUndefined();
          const position = known.claim === 'test.x' ? 0 : 1;
          const possible = universe.filter((one) => agree.some((pair) => pair[position] === one));
          const admitted = universe.filter((one) => admits(known.values, one));
          // With two claims, more values may be admitted, since the universe lacks some classes of values.
          const claims = new Set(JSON.stringify(items).match(/test\.[xy]/g));
          if (claims.size === 1) expect(admitted).toEqual(possible);
          else for (const one of possible) expect(admitted).toContainEqual(one);
          excluded += universe.length - admitted.length;
        }
      },
      600,
    );
    expect(excluded).toBeGreaterThan(1_000);
  });
});

// S366
it('the query of what is known passes on the claims that gave the answers, for random policies', () => {
  let known = 0;
  holdsForAll(
    fc.integer({ min: 1, max: 4 }).chain(itemsAndClaims),
    ({ items, claims }) => {
      const answers = items.map((item) => answerTo(item, passes(item, claims)));
      for (const claim of inferKnowledge(answers, { regex })) {
        const value = findClaim(claims, toClaimReference(claim.claim))?.value;
        const types = CLAIM_TYPES.filter((type) => value === undefined || fitsClaimType(value, { type }));
        for (const type of [undefined, ...types]) {
          const query = toKnownQuery(claim, type && { type });
          if (query === undefined) continue;
          known += 1;
          const passed = compile(query, { regex, limits: ANY_COST }).test(claims);
          expect(passed, `${JSON.stringify(claim)} ${type}`).toBe(true);
        }
      }
    },
    600,
  );
  expect(known).toBeGreaterThan(200);
});
