/** The maximum cost of decisions under inference bounds, which depends on the questions and the earlier answers only (S346, S349). */
import { describe, expect, it } from 'vitest';
import { compile, formatInstant, type PolicyItem } from '../../../../src/engine/index.js';
import { re2js } from '../../../../src/regex/re2js.js';
import { createDerivedClaims } from '../../../../src/service/claims/derived-claims.js';
import { createServiceCatalogue, DEFAULT_CATALOGUE } from '../../../../src/service/index.js';
import { addObservations, decide, type Observation } from '../../../../src/service/inference/admission.js';
import { createBoundedClaims } from '../../../../src/service/inference/bounded-claim.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const BORN = 'identity.date_of_birth';

const claims = DEFAULT_CATALOGUE.claims.map((claim) =>
  claim.path === BORN ? { ...claim, inferenceBound: { years: 1, from: '1900-01-01' } } : claim,
);
const catalogue = createServiceCatalogue({ ...DEFAULT_CATALOGUE, claims });

/** Decides on a question. Returns also how often a question or an answer was compiled. */
function decideOn(known: readonly Observation[], item: PolicyItem, at = 0) {
  const claim = createBoundedClaims(catalogue, createDerivedClaims(catalogue, re2js)).get(BORN);
  if (claim === undefined) throw new Error(`${BORN} is not bounded`);
  let compiled = 0;
  const compileItem = (one: PolicyItem) => {
    compiled += 1;
    return compile(one, { catalogue: 'none' });
  };
  const decision = decide(claim, known, [{ item, at }], { compile: compileItem, now: NOW });
  return { ...decision, compiled };
}

/** Creates a question with many checks: whether the date of birth is on or after one of many dates, which is equivalent to the first one. */
function afterAny(dates: number): PolicyItem {
  const anyOf = Array.from({ length: dates }, (_, index) => {
    const value = formatInstant(Date.UTC(1950, 0, 1) + index * 97 * DAY).slice(0, 10);
    return { check: { claim: BORN, operator: '>=', value } } as const;
  });
  return { policy: { anyOf } };
}

// S346, S349
describe('a decision about a bounded claim', () => {
  it('refuses a question with too many checks without evaluating anything', () => {
    expect(decideOn([], afterAny(60))).toMatchObject({ admitted: true, compiled: 1 });
    expect(decideOn([], afterAny(200))).toMatchObject({ admitted: false, compiled: 0, implied: [undefined] });
  });

  it('refuses a question after answers with too many checks, and keeps these answers', () => {
    const known = Array.from({ length: 16 }, (_, index) => {
      return { item: afterAny(20 + index), at: 0, passed: true };
    });
    const decision = decideOn(known, afterAny(20));
    expect([decision.admitted, decision.relevant, decision.compiled]).toEqual([false, known, 0]);
    expect(decideOn(known.slice(0, 2), afterAny(20)).admitted).toBe(true);
  });

  it('refuses a question about the age after answers on too many days, and keeps these answers', () => {
    const item = { check: { claim: 'identity.age', operator: '>=', value: 18 } } as const;
    const known = Array.from({ length: 40 }, (_, index) => {
      return { item, at: NOW - (40 - index) * DAY, passed: true };
    });
    const decision = decideOn(known, item, NOW);
    expect([decision.admitted, decision.relevant, decision.compiled]).toEqual([false, known, 0]);
    expect(decideOn(known.slice(0, 2), item, NOW).admitted).toBe(true);
  });

  it('that costs too much leaves the known answers unchanged if a question about the age is answered again', () => {
    const item = { check: { claim: 'identity.age', operator: '>=', value: 18 } } as const;
    const known = Array.from({ length: 40 }, (_, index) => {
      return { item, at: NOW - (39 - index) * DAY, passed: true };
    });
    const [first] = known;
    if (first === undefined) throw new Error('there is no answer');
    const decision = decideOn(known, item, first.at);
    expect(decision.admitted).toBe(false);
    const isTimed = () => true;
    expect(addObservations(known, [first], [true], { decision, isTimed })).toBe(known);
    expect(addObservations(known, [first], [false], { decision, isTimed })).toHaveLength(41);
  });
});
