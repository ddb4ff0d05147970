/** Generated boundary cases: each check alone decides, values fit the catalogue, and every case holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RegexEngine, re2js } from '../../../src/index.js';
import { generateCases, parsePolicyTest, runPolicyTest } from '../../../src/policy-tests/index.js';
import { policy } from '../../../src/testing/index.js';

const ADULT = { claim: 'identity.age', operator: '>=', value: 18 };

describe('generateCases', () => {
  it('starts with claims on which the policy passes, then has, for each check, a case whose outcome only that check decides, at a boundary value if values are ordered, and ends with no claims', () => {
    const query = {
      policy: {
        allOf: [
          ADULT,
          { claim: 'identity.age', operator: '<', value: 65 },
          {
            anyOf: [
              { claim: 'kyc.level', operator: '==', value: 'enhanced' },
              { claim: 'kyc.last_updated_at', operator: '>=', value: '2026-01-01' },
            ],
          },
        ],
      },
    };
    const { cases, missing } = generateCases(query);
    expect(missing).toEqual([]);
    const base = { 'identity.age': 18, 'kyc.level': 'enhanced' };
    expect(cases).toEqual([
      { title: 'base: passes', claims: base, passes: true },
      {
        title: 'base with identity.age 17: identity.age >= 18 fails',
        claims: { ...base, 'identity.age': 17 },
        passes: false,
        failing: ['identity.age'],
      },
      {
        title: 'base with identity.age 65: identity.age < 65 fails',
        claims: { ...base, 'identity.age': 65 },
        passes: false,
        failing: ['identity.age'],
      },
      {
        title: 'base with kyc.level "none": kyc.level == "enhanced" fails',
        claims: { ...base, 'kyc.level': 'none' },
        passes: false,
        failing: ['kyc.level', 'kyc.last_updated_at'],
      },
      {
        title:
          'base with kyc.level "none" and kyc.last_updated_at "2026-01-01T00:00:00Z": kyc.last_updated_at >= "2026-01-01" passes',
        claims: { ...base, 'kyc.level': 'none', 'kyc.last_updated_at': '2026-01-01T00:00:00Z' },
        passes: true,
      },
      {
        title: 'no claims',
        claims: {},
        passes: false,
        failing: ['identity.age', 'kyc.level', 'kyc.last_updated_at'],
      },
    ]);
  });

  it('reports the outcomes of redundant checks, for which no case exists', () => {
    const older = { ...ADULT, value: 21 };
    expect(generateCases({ policy: { allOf: [ADULT, older] } }).missing).toEqual([
      { pointer: '/policy/allOf/0', check: ADULT, outcome: 'failing' },
    ]);
  });

  it('rejects claims that the catalogue does not have, and all projections', () => {
    expect(() => generateCases({ projections: [{ claim: 'identity.age', lens: 'pluck' }] })).toThrow(
      TypeError,
    );
    const own = { check: { claim: 'member.level', operator: '>=', value: 3 } };
    expect(() => generateCases(own)).toThrow('The catalogue has no claim `member.level`');
    expect(generateCases(own, { catalogue: 'none' }).cases[0]?.claims).toEqual({ 'member.level': 3 });
  });

  // L7
  it('generates cases for an enum of more values than an operand may have', () => {
    const values = Array.from({ length: 1_001 }, (_, index) => `v${index}`);
    const scope = {
      name: 's',
      category: 'a',
      sensitivity: 'low',
      displayName: 'S',
      description: 'S.',
    } as const;
    const claim = {
      path: 'a.code',
      type: 'enum',
      scope: 's',
      sensitivity: 'low',
      description: 'D.',
      values,
    } as const;
    const query = { check: { claim: 'a.code', operator: '==', value: 'v1000' } };
    const { cases } = generateCases(query, { catalogue: { scopes: [scope], claims: [claim] } });
    expect(cases.map(({ claims, passes }) => [claims, passes])).toEqual([
      [{ 'a.code': 'v1000' }, true],
      [{ 'a.code': 'v0' }, false],
      [{}, false],
    ]);
  });

  // L13
  it('generates cases for checks that exclude the empty array or the empty object', () => {
    const lists = { claim: 'identity.wallet_addresses', operator: '!=', value: [] };
    const address = { claim: 'identity.address_full', operator: 'notIn', value: [{}] };
    const query = { policy: { allOf: [lists, address] } };
    const { cases, missing } = generateCases(query);
    expect(missing).toEqual([]);
    expect(cases[0]).toMatchObject({ claims: { 'identity.wallet_addresses': ['other'] }, passes: true });
    const { coverage } = runPolicyTest(parsePolicyTest({ query, cases }));
    expect(coverage.every(({ passing, failing }) => passing && failing)).toBe(true);
  });

  it('puts members into the claim that the catalogue lists, so that the generated file can be run', () => {
    const query = {
      policy: {
        allOf: [
          { claim: 'identity.address_full.geo.zone', operator: '==', value: 'A' },
          { claim: 'identity.address_full.country', operator: '==', value: 'PT' },
        ],
      },
    };
    const { cases, missing } = generateCases(query);
    expect(missing).toEqual([]);
    expect(cases[0]?.claims).toEqual({ 'identity.address_full': { country: 'PT', geo: { zone: 'A' } } });
    const result = runPolicyTest(parsePolicyTest(JSON.parse(JSON.stringify({ query, cases }))));
    expect(result.cases.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.coverage.every(({ passing, failing }) => passing && failing)).toBe(true);
  });

  it('matches patterns at most four times as often for a policy of twice as many checks on different claims', () => {
    let matched = 0;
    const regex: RegexEngine = {
      compile: (text) => {
        const outcome = re2js.compile(text);
        if (!outcome.accepted) return outcome;
        const { programSize } = outcome.pattern;
        const test = (input: string) => {
          matched += 1;
          return outcome.pattern.test(input);
        };
        return { accepted: true, pattern: { programSize, test } };
      },
    };
    const matchesOf = (checks: number) => {
      matched = 0;
      const claims = Array.from({ length: checks }, (_, index) => `member.claim${index}`);
      const allOf = claims.map((claim) => ({ claim, operator: 'matchRegex', value: '^a' }));
      expect(generateCases({ policy: { allOf } }, { catalogue: 'none', regex }).missing).toEqual([]);
      return matched;
    };
    const few = matchesOf(16);
    expect(matchesOf(32)).toBeLessThan(4 * few);
  });

  it('generates, for random policies, the same cases each time, which hold and cover all that is not reported as missing', () => {
    fc.assert(
      fc.property(policy(), (query) => {
        const { cases, missing } = generateCases({ policy: query }, { catalogue: 'none' });
        const test = parsePolicyTest(
          JSON.parse(JSON.stringify({ query: { policy: query }, catalogue: 'none', cases })),
        );
        const result = runPolicyTest(test);
        expect(result.cases.filter(({ ok }) => !ok)).toEqual([]);
        const uncovered = result.coverage.flatMap(({ pointer, passing, failing }) => [
          ...(passing ? [] : [`${pointer} passing`]),
          ...(failing ? [] : [`${pointer} failing`]),
        ]);
        expect(uncovered).toEqual(missing.map(({ pointer, outcome }) => `${pointer} ${outcome}`));
        expect(generateCases({ policy: query }, { catalogue: 'none' })).toEqual({ cases, missing });
      }),
      { seed: 20_261_126, numRuns: 20 },
    );
  });
});
