/** Analyses of a person or a grant: residuals, explanations and required scopes (L10, L13, L14, L20). */
import { describe, expect, it } from 'vitest';
import { explain, requiredScopes, residual } from '../../src/analysis/index.js';
import { type Credential, createScopeCatalogue, type JsonValue, QueryError } from '../../src/index.js';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

const adult = { claim: 'identity.age', operator: '>=', value: 18 } as const;
const level = { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] } as const;
const passed = { claim: 'kyc.passed', operator: '==', value: true } as const;
const abroad = { not: { claim: 'identity.country_of_residence', operator: '==', value: 'KP' } } as const;
const policy = { policy: { allOf: [adult, { anyOf: [level, passed] }, abroad] } };

const catalogue = createScopeCatalogue([
  { name: 'identity', covers: ['identity'] },
  { name: 'age', covers: ['identity.age'] },
  { name: 'kyc', covers: ['kyc'] },
  { name: 'all', implies: ['identity', 'kyc', 'age'] },
]);

function person(claims: Record<string, JsonValue>, more: Partial<Credential> = {}): readonly Credential[] {
  return [{ id: 'c', source: 's', issuedAt: 0, claims, ...more }];
}

function why(credentials: readonly Credential[]) {
  return explain(policy, credentials, { now: NOW, scopes: ['all'], catalogue });
}

describe('the scopes that a query needs', () => {
  // L20
  it('are listed as minimal sets, the smallest first', () => {
    expect(requiredScopes(policy, catalogue)).toEqual({
      sets: [['all'], ['age', 'kyc', 'identity']],
      uncovered: [],
    });
  });

  // L20
  it('include those of projections', () => {
    const query = { projections: [{ claim: 'identity.email', lens: 'pluck' }] };
    expect(requiredScopes(query).sets).toEqual([['profile.full'], ['identity:read'], ['email']]);
  });

  // L20
  it('are empty where no scope covers a claim, which is reported', () => {
    const query = { check: { claim: 'hobby.name', operator: 'isDefined' } };
    expect(requiredScopes(query, catalogue)).toEqual({ sets: [], uncovered: ['hobby.name'] });
  });
});

describe('the residual of a policy', () => {
  it('reads no known claim', () => {
    expect(residual(policy, { 'identity.age': 30, 'kyc.level': undefined })).toEqual({
      kind: 'open',
      query: { policy: { allOf: [{ check: passed }, { policy: { not: { check: abroad.not } } }] } },
    });
  });

  // L14
  it('is decided where enough claims are known', () => {
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
  it('has the smallest set of claims that would have to change, each with its nearest value', () => {
    expect(why(person({ 'identity.age': 16, 'kyc.level': 'basic' }))).toMatchObject({
      passes: false,
      changes: [[{ claim: 'identity.age', from: 16, to: 18, checks: ['/policy/allOf/0'] }]],
    });
  });

  // L14
  it('lists several sets, with no current value for undefined claims', () => {
    const explained = why(person({ 'identity.age': 18 }));
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
    const coming = person({ 'identity.age': 20, 'kyc.passed': true }, { issuedAt: NOW + DAY });
    expect(why(coming)).toMatchObject({ passes: false, changesAt: NOW + DAY });
  });
});

describe('the explanation of a passing policy', () => {
  const credentials = person(
    { 'identity.age': 20, 'kyc.level': 'basic', 'kyc.passed': true },
    { expiresAt: NOW + DAY },
  );

  // L10
  it('has a smallest sufficient set of claims, and the instant until which they suffice', () => {
    expect(why(credentials)).toMatchObject({
      passes: true,
      sufficient: ['identity.age', 'kyc.level', 'identity.country_of_residence'],
      changesAt: NOW + DAY,
    });
  });

  // L20
  it('requires scopes before any claim is read', () => {
    const refused = () => explain(policy, credentials, { now: NOW, scopes: ['kyc'], catalogue });
    expect(refused).toThrow(QueryError);
    expect(() => explain(policy, null as never, { now: NOW, scopes: [], catalogue })).toThrow(QueryError);
  });
});
