/** Claims that are worked out from others: defined with their parent, gone when they would change (contract §5). */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type Credential, toClaimReference } from '../../../src/engine/index.js';
import { withDerivedClaims } from '../../../src/service/claims/derived-claims.js';

function derived(claims: Credential['claims'], now: string, more: Partial<Credential> = {}) {
  const credential: Credential = { id: 'c1', source: 's', issuedAt: 0, claims, ...more };
  return withDerivedClaims([credential], Date.parse(now)).slice(1);
}

describe('age', () => {
  it.each([
    ['2008-06-01', '2026-05-31T23:59:59.999Z', 17, '2026-06-01T00:00:00.000Z'],
    ['2008-06-01', '2026-06-01T00:00:00.000Z', 18, '2027-06-01T00:00:00.000Z'],
    ['2008-02-29', '2026-02-28T23:59:59.999Z', 17, '2026-03-01T00:00:00.000Z'],
    ['2008-02-29', '2026-03-01T00:00:00.000Z', 18, '2027-03-01T00:00:00.000Z'],
    ['2008-02-29', '2028-02-29T00:00:00.000Z', 20, '2029-03-01T00:00:00.000Z'],
    ['1899-12-31', '2026-06-01T00:00:00.000Z', 126, '2026-12-31T00:00:00.000Z'],
  ])('of who was born on %s is, at %s, %d until %s', (born, now, age, until) => {
    expect(derived({ 'identity.date_of_birth': born }, now)).toEqual([
      {
        id: 'c1',
        source: 's',
        issuedAt: 0,
        expiresAt: Date.parse(until),
        claims: { 'identity.age': age, 'identity.age_over_18': age >= 18, 'identity.age_over_21': age >= 21 },
      },
    ]);
  });

  it('ends with its credential where that is sooner (L22)', () => {
    const [credential] = derived({ 'identity.date_of_birth': '2008-06-01' }, '2026-06-01', {
      expiresAt: Date.parse('2026-07-01'),
    });
    expect(credential?.expiresAt).toBe(Date.parse('2026-07-01'));
  });
});

describe('what is derived', () => {
  it('is defined where its parent is, whatever the parent says (L12)', () => {
    const parents = {
      'identity.date_of_birth': 'unknown',
      'identity.country_of_residence': 'XX',
      'financial.net_worth': null,
    };
    const values = derived(parents, '2026-06-01').map(({ claims }) => claims);
    expect(values.flatMap((claims) => Object.values(claims)).every((value) => value === null)).toBe(true);
    expect(values.flatMap((claims) => Object.keys(claims))).toHaveLength(6);
  });

  it.each([
    ['PT', 'Europe'],
    ['US', 'Americas'],
    ['JP', 'Asia'],
    ['NG', 'Africa'],
    ['NZ', 'Oceania'],
  ])('%s lies in %s', (country, region) => {
    expect(derived({ 'identity.country_of_residence': country }, '2026-06-01')).toMatchObject([
      { claims: { 'identity.residency_region': region } },
    ]);
  });

  it.each([
    [10_000, false, false],
    [10_000.01, true, false],
    [100_000, true, false],
    [100_001, true, true],
  ])('a net worth of %d is above 10k: %j, above 100k: %j', (worth, ten, hundred) => {
    expect(derived({ 'financial.net_worth': worth }, '2026-06-01')).toMatchObject([
      { claims: { 'financial.net_worth_above_10k': ten, 'financial.net_worth_above_100k': hundred } },
    ]);
  });

  it('comes of the credential that speaks for its parent, and of active ones only (L10, L11)', () => {
    const now = Date.parse('2026-06-01');
    const claims = (born: string) => ({ 'identity.date_of_birth': born });
    const set = ClaimSet.at(
      withDerivedClaims(
        [
          { id: 'old', source: 's', issuedAt: 1, claims: claims('1990-01-01') },
          { id: 'new', source: 's', issuedAt: 2, claims: claims('1980-01-01') },
          { id: 'gone', source: 's', issuedAt: 3, revokedAt: 4, claims: claims('1970-01-01') },
        ],
        now,
      ),
      now,
    );
    expect(set.find(toClaimReference('identity.age'))).toMatchObject({
      value: 46,
      credential: { id: 'new' },
    });
  });
});
