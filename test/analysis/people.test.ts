/** Analyses of a person or a grant: residuals, explanations and required scopes (L10, L13, L14, L20). */
import { describe, expect, it } from 'vitest';
import { explain, requiredScopes, residual } from '../../src/analysis/index.js';
import {
  ClaimSet,
  type Credential,
  createScopeCatalogue,
  type JsonValue,
  QueryError,
} from '../../src/index.js';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

const adult = { claim: 'identity.age', operator: '>=', value: 18 } as const;
const level = { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] } as const;
const passed = { claim: 'kyc.passed', operator: '==', value: true } as const;
const residesElsewhere = {
  not: { claim: 'identity.country_of_residence', operator: '==', value: 'KP' },
} as const;
const policy = { policy: { allOf: [adult, { anyOf: [level, passed] }, residesElsewhere] } };

const catalogue = createScopeCatalogue([
  { name: 'identity', covers: ['identity'] },
  { name: 'age', covers: ['identity.age'] },
  { name: 'kyc', covers: ['kyc'] },
  { name: 'all', implies: ['identity', 'kyc', 'age'] },
]);

function person(
  claims: Record<string, JsonValue>,
  overrides: Partial<Credential> = {},
): readonly Credential[] {
  return [{ id: 'c', source: 's', issuedAt: 0, claims, ...overrides }];
}

function explainPolicy(credentials: readonly Credential[]) {
  return explain(policy, credentials, { now: NOW, scopes: ['all'], catalogue });
}

describe('the required scopes of a query', () => {
  // L20
  it('are listed as minimal sets, the smallest first', () => {
    expect(requiredScopes(policy, catalogue)).toEqual({
      sets: [['all'], ['age', 'kyc', 'identity']],
      uncovered: [],
    });
  });

  // L20
  it('include the scopes of projected claims', () => {
    const query = { projections: [{ claim: 'identity.email', lens: 'pluck' }] };
    expect(requiredScopes(query).sets).toEqual([['profile.full'], ['identity:read'], ['email']]);
  });

  // L20
  it('are empty if no scope covers a claim, which is reported', () => {
    const query = { check: { claim: 'hobby.name', operator: 'isDefined' } };
    expect(requiredScopes(query, catalogue)).toEqual({ sets: [], uncovered: ['hobby.name'] });
  });
});

describe('the residual of a policy', () => {
  it('does not contain known claims', () => {
    expect(residual(policy, { 'identity.age': 30, 'kyc.level': undefined })).toEqual({
      kind: 'open',
      query: { policy: { allOf: [{ check: passed }, { policy: { not: { check: residesElsewhere.not } } }] } },
    });
  });

  // L14
  it('is a decision once enough claims are known', () => {
    expect(residual(policy, { 'identity.age': 17 })).toEqual({ kind: 'decided', passes: false });
    const all = { 'identity.age': 18, 'kyc.passed': true, 'identity.country_of_residence': undefined };
    expect(residual(policy, all)).toEqual({ kind: 'decided', passes: true });
  });

  // L13
  it('does not resolve a longer path in a shorter known claim, since it may have its own value', () => {
    const query = { check: { claim: 'a.b.c', operator: '==', value: 1 } };
    expect(residual(query, { 'a.b': { c: 1 } })).toEqual({ kind: 'open', query });
  });
});

describe('the explanation of a failing policy', () => {
  // L17
  it('has the smallest set of claims that must change, each with its nearest passing value', () => {
    expect(explainPolicy(person({ 'identity.age': 16, 'kyc.level': 'basic' }))).toMatchObject({
      passes: false,
      changes: [[{ claim: 'identity.age', from: 16, to: 18, checks: ['/policy/allOf/0'] }]],
    });
  });

  // L14
  it('lists several sets, with no current value for undefined claims', () => {
    const explained = explainPolicy(person({ 'identity.age': 18 }));
    expect(explained.passes ? [] : explained.changes).toEqual([
      [{ claim: 'kyc.level', from: undefined, to: 'basic', checks: ['/policy/allOf/1/policy/anyOf/0'] }],
      [{ claim: 'kyc.passed', from: undefined, to: true, checks: ['/policy/allOf/1/policy/anyOf/1'] }],
    ]);
  });

  // L17
  it('suggests the next whole number or day beyond a bound', () => {
    const query = (operator: string, value: JsonValue) => ({
      check: { claim: 'identity.age', operator, value },
    });
    const nearest = (operator: string, value: JsonValue, current: JsonValue) => {
      const explained = explain(query(operator, value), person({ 'identity.age': current }), {
        now: NOW,
        scopes: ['all'],
        catalogue,
      });
      return explained.passes ? undefined : explained.changes[0]?.[0]?.to;
    };
    expect(nearest('>', 18, 3)).toBe(19);
    expect(nearest('<', 18, 40)).toBe(17);
    expect(nearest('>=', 18.5, 3)).toBe(19);
    expect(nearest('>', '2026-06-01', '2026-01-01')).toBe('2026-06-02');
    expect(nearest('<=', '2026-06-01', '2027-01-01')).toBe('2026-06-01');
  });

  // L10
  it('has the instant from which a future credential makes it pass', () => {
    const future = person({ 'identity.age': 20, 'kyc.passed': true }, { issuedAt: NOW + DAY });
    expect(explainPolicy(future)).toMatchObject({ passes: false, changesAt: NOW + DAY });
  });
});

describe('the explanation of a passing policy', () => {
  const credentials = person(
    { 'identity.age': 20, 'kyc.level': 'basic', 'kyc.passed': true },
    { expiresAt: NOW + DAY },
  );

  // L10
  it('has a smallest set of sufficient claims, and the instant until which they suffice', () => {
    expect(explainPolicy(credentials)).toMatchObject({
      passes: true,
      sufficient: ['identity.age', 'kyc.level', 'identity.country_of_residence'],
      changesAt: NOW + DAY,
    });
  });

  // L20
  it('requires scopes before any claim is read', () => {
    const explainWithoutScopes = () => explain(policy, credentials, { now: NOW, scopes: ['kyc'], catalogue });
    expect(explainWithoutScopes).toThrow(QueryError);
    expect(() => explain(policy, null as never, { now: NOW, scopes: [], catalogue })).toThrow(QueryError);
  });
});

describe('an explanation of plain claims', () => {
  const options = { catalogue: 'none' } as const;
  const claims = { 'identity.age': 17, 'kyc.passed': true };

  // L14
  it('needs neither an instant nor scopes, and equals that of a claim set', () => {
    const explained = explain(policy, claims, options);
    expect(explained).toMatchObject({
      passes: false,
      changes: [[{ claim: 'identity.age', from: 17, to: 18 }]],
    });
    expect(explained.inactive).toEqual([]);
    expect(explain(policy, ClaimSet.of(claims), options)).toEqual(explained);
    expect(explain(policy, person(claims), { ...options, now: NOW })).toEqual(explained);
  });

  it('is rejected for anything else, and credentials require an instant', () => {
    expect(() => explain(policy, 'claims' as never, options)).toThrow('`person` must be an object');
    expect(() => explain(policy, person(claims), options)).toThrow('`now`');
    expect(() => explain(policy, claims, {} as never)).toThrow('`scopes`');
  });
});
