/** Claims that are derived from others: defined with their parent, and expiring when their value would change. */
import { describe, expect, it } from 'vitest';
import { indexCredentials } from '../../../src/engine/claims/claim-set.js';
import { type Credential, findClaim, toClaimReference } from '../../../src/engine/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import { createServiceCatalogue } from '../../../src/service/catalogue/service-catalogue.js';
import { createDerivedClaims } from '../../../src/service/claims/derived-claims.js';

const catalogue = createServiceCatalogue();
const derivedClaims = createDerivedClaims(catalogue, re2js);
const all = catalogue.definition.claims.map(({ path }) => path);

function derived(claims: Credential['claims'], now: string, overrides: Partial<Credential> = {}) {
  const credential: Credential = { id: 'c1', source: 's', issuedAt: 0, claims, ...overrides };
  return derivedClaims.addTo([credential], Date.parse(now), all).slice(1);
}

/** Each derived claim with its value and, if it has one, its expiry. */
function values(claims: Credential['claims'], now: string, overrides: Partial<Credential> = {}) {
  return Object.fromEntries(
    derived(claims, now, overrides).flatMap(({ claims: found, expiresAt }) =>
      Object.entries(found).map(([path, value]) => [
        path,
        expiresAt === undefined ? [value] : [value, new Date(expiresAt).toISOString()],
      ]),
    ),
  );
}

describe('the derived age', () => {
  it.each([
    ['2008-06-01', '2026-05-31T23:59:59.999Z', 17, '2026-06-01T00:00:00.000Z'],
    ['2008-06-01', '2026-06-01T00:00:00.000Z', 18, '2027-06-01T00:00:00.000Z'],
    ['2008-02-29', '2026-02-28T23:59:59.999Z', 17, '2026-03-01T00:00:00.000Z'],
    ['2008-02-29', '2026-03-01T00:00:00.000Z', 18, '2027-03-01T00:00:00.000Z'],
    ['2008-02-29', '2028-02-29T00:00:00.000Z', 20, '2029-03-01T00:00:00.000Z'],
    ['2008-03-01', '2028-02-29T23:59:59.999Z', 19, '2028-03-01T00:00:00.000Z'],
    ['1899-12-31', '2026-06-01T00:00:00.000Z', 126, '2026-12-31T00:00:00.000Z'],
    ['2030-06-01', '2027-05-31T23:59:59.999Z', -4, '2027-06-01T00:00:00.000Z'],
    ['2030-06-01', '2027-06-01T00:00:00.000Z', -3, '2028-06-01T00:00:00.000Z'],
    ['2030-06-01', '2030-05-31T23:59:59.999Z', -1, '2030-06-01T00:00:00.000Z'],
    ['2030-06-01', '2030-06-01T00:00:00.000Z', 0, '2031-06-01T00:00:00.000Z'],
    ['2032-02-29', '2029-02-28T23:59:59.999Z', -4, '2029-03-01T00:00:00.000Z'],
    ['2032-02-29', '2029-03-01T00:00:00.000Z', -3, '2030-03-01T00:00:00.000Z'],
  ])('of a person born on %s is, at %s, %d until %s', (born, now, age, until) => {
    const found = values({ 'identity.date_of_birth': born }, now);
    expect(found['identity.age']).toEqual([age, until]);
    expect(found['identity.age_over_18']?.[0]).toBe(age >= 18);
    expect(found['identity.age_over_21']?.[0]).toBe(age >= 21);
  });

  it.each([
    ['2008-06-01', 18, '2026-06-01T00:00:00.000Z'],
    ['2008-02-29', 18, '2026-03-01T00:00:00.000Z'],
    ['2004-02-29', 21, '2025-03-01T00:00:00.000Z'],
    ['2007-02-28', 21, '2028-02-28T00:00:00.000Z'],
    ['2007-03-01', 21, '2028-03-01T00:00:00.000Z'],
  ])('of a person born on %s is over %d from %s on, without an expiry from then on', (born, years, from) => {
    const path = `identity.age_over_${years}`;
    const at = (instant: number) =>
      values({ 'identity.date_of_birth': born }, new Date(instant).toISOString())[path];
    expect(at(Date.parse(from) - 1)).toEqual([false, from]);
    expect(at(Date.parse(from))).toEqual([true]);
    expect(at(Date.parse(from) - 86_400_000)).toEqual([false, from]);
  });

  it.each([
    ['2008-02-29T18:00:00Z', '2026-02-28T23:59:59.999Z', 17, '2026-03-01T00:00:00.000Z'],
    ['2008-02-29T18:00:00Z', '2026-03-01T00:00:00.000Z', 18, '2027-03-01T00:00:00.000Z'],
    ['2008-02-29T18:00:00Z', '2027-03-01T00:00:00.000Z', 19, '2028-02-29T18:00:00.000Z'],
    ['2008-06-01T18:00:00Z', '2026-06-01T17:59:59.999Z', 17, '2026-06-01T18:00:00.000Z'],
  ])('of a person born at the instant %s is, at %s, %d until %s', (born, now, age, until) => {
    const withInstants = createServiceCatalogue({
      ...catalogue.definition,
      claims: catalogue.definition.claims.map((claim) =>
        claim.path === 'identity.date_of_birth' ? { ...claim, type: 'datetime' as const } : claim,
      ),
    });
    const credential = { id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.date_of_birth': born } };
    const [, found] = createDerivedClaims(withInstants, re2js).addTo([credential], Date.parse(now), [
      'identity.age',
    ]);
    expect(found?.claims).toEqual({ 'identity.age': age });
    expect(found?.expiresAt).toBe(Date.parse(until));
  });

  // L22
  it('expires with its credential if that is sooner', () => {
    const [credential] = derived({ 'identity.date_of_birth': '2008-06-01' }, '2026-06-01', {
      expiresAt: Date.parse('2026-07-01'),
    });
    expect(credential?.expiresAt).toBe(Date.parse('2026-07-01'));
  });
});

describe('a derived claim that compares years', () => {
  const NOW = '2026-06-01';
  /** The claim and its expiry, derived by a check on the date of birth at {@link NOW}. */
  const derive = (born: string, operator: '<' | '<=' | '>' | '>=' | '==' | '!=', yearsBeforeNow: number) => {
    const path = 'identity.age_over_18';
    const check = { operator, yearsBeforeNow };
    const claims = catalogue.definition.claims.map((claim) =>
      claim.path === path ? { ...claim, derived: { parent: 'identity.date_of_birth', check } } : claim,
    );
    const withCheck = createServiceCatalogue({ ...catalogue.definition, claims });
    const credential = { id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.date_of_birth': born } };
    const [, found] = createDerivedClaims(withCheck, re2js).addTo([credential], Date.parse(NOW), [path]);
    return [found?.claims[path], found?.expiresAt];
  };

  // L15
  it.each([
    ['<', true, false, undefined],
    ['<=', true, false, '9999-12-31'],
    ['>', false, true, '9999-12-31'],
    ['>=', false, true, undefined],
    ['==', false, false, '9999-12-31'],
    ['!=', true, true, '9999-12-31'],
  ] as const)(
    'by `%s` has a value for the first and last dates (%j and %j), and an expiry only within the years 0000 to 9999',
    (operator, first, last, untilWithoutYears) => {
      for (const years of [0, 1, 18, 1_000]) {
        const until =
          years === 0 && untilWithoutYears !== undefined ? Date.parse(untilWithoutYears) : undefined;
        expect([years, ...derive('9999-12-31', operator, years)]).toEqual([years, last, until]);
        for (const born of ['0000-01-01', '0000-02-29'])
          expect([years, ...derive(born, operator, years)]).toEqual([years, first, undefined]);
      }
    },
  );
});

describe('a derived claim', () => {
  // L12
  it('is defined if its parent is, and null if the value of the parent is invalid', () => {
    const parents = {
      'identity.date_of_birth': 'unknown',
      'identity.country_of_residence': 'XX',
      'financial.net_worth': null,
    };
    const found = values(parents, '2026-06-01');
    expect(Object.values(found)).toEqual(Array.from({ length: 6 }, () => [null]));
  });

  it.each([
    ['PT', 'Europe'],
    ['US', 'Americas'],
    ['JP', 'Asia'],
    ['NG', 'Africa'],
    ['NZ', 'Oceania'],
  ])('from the country %s is the region %s', (country, region) => {
    const found = values({ 'identity.country_of_residence': country }, '2026-06-01');
    expect(found).toEqual({ 'identity.residency_region': [region] });
  });

  it.each([
    [10_000, false, false],
    [10_000.01, true, false],
    [100_000, true, false],
    [100_001, true, true],
  ])(
    'from a net worth of %d is whether it is above 10k (%j) and above 100k (%j)',
    (worth, above10k, above100k) => {
      expect(values({ 'financial.net_worth': worth }, '2026-06-01')).toEqual({
        'financial.net_worth_above_10k': [above10k],
        'financial.net_worth_above_100k': [above100k],
      });
    },
  );

  // S156
  it('is computed by a pattern of the catalogue for a value of any length', () => {
    const path = 'identity.age_over_18';
    const check = { operator: 'matchRegex', value: '^[a-z]{1,40}@example\\.com$' } as const;
    const claims = catalogue.definition.claims.map((claim) =>
      claim.path === path ? { ...claim, derived: { parent: 'identity.email', check } } : claim,
    );
    const byPattern = createDerivedClaims(createServiceCatalogue({ ...catalogue.definition, claims }), re2js);
    const derive = (email: string) => {
      const credential = { id: 'c', source: 's', issuedAt: 0, claims: { 'identity.email': email } };
      return byPattern.addTo([credential], 1, [path])[1]?.claims[path];
    };
    expect([derive('ada@example.com'), derive(`${'a'.repeat(60_000)}@example.com`)]).toEqual([true, false]);
  });

  it('is computed only if the query reads it', () => {
    const credential = { id: 'c', source: 's', issuedAt: 0, claims: { 'financial.net_worth': 1 } };
    expect(derivedClaims.addTo([credential], 1, ['financial.net_worth'])).toEqual([credential]);
    expect(derivedClaims.addTo([credential], 1, ['financial.net_worth_above_10k'])).toHaveLength(2);
  });

  it('is computed although a credential that was ingested under another catalogue attests it', () => {
    const claims = { 'identity.date_of_birth': '2008-06-01', 'identity.age': 17 };
    const latest = {
      id: 'b',
      source: 's',
      issuedAt: 2,
      claims: { 'identity.age': 16, 'kyc.level': 'basic' },
    };
    const now = Date.parse('2026-06-01');
    const set = indexCredentials(
      derivedClaims.addTo([{ id: 'a', source: 's', issuedAt: 1, claims }, latest], now, all),
      now,
    );
    const found = ['identity.age', 'kyc.level'].map((path) => findClaim(set, toClaimReference(path))?.value);
    expect(found).toEqual([18, 'basic']);
  });

  it('has no members, also if a credential that was ingested under another catalogue attests them', () => {
    const claims = [{ 'identity.age': { years: 17 } }, { 'identity.age.years': 16, 'kyc.level': 'basic' }];
    const credentials = claims.map((each, index) => {
      return { id: String(index), source: 's', issuedAt: index, claims: each };
    });
    const paths = ['identity.age.years', 'kyc.level'];
    const set = indexCredentials(derivedClaims.addTo(credentials, 2, paths), 2);
    const found = paths.map((path) => findClaim(set, toClaimReference(path))?.value);
    expect(found).toEqual([undefined, 'basic']);
  });

  // L10, L11
  it('is attested by the credential that attests its parent, and by active ones only', () => {
    const now = Date.parse('2026-06-01');
    const claims = (born: string) => ({ 'identity.date_of_birth': born });
    const set = indexCredentials(
      derivedClaims.addTo(
        [
          { id: 'old', source: 's', issuedAt: 1, claims: claims('1990-01-01') },
          { id: 'new', source: 's', issuedAt: 2, claims: claims('1980-01-01') },
          { id: 'gone', source: 's', issuedAt: 3, revokedAt: 4, claims: claims('1970-01-01') },
        ],
        now,
        all,
      ),
      now,
    );
    expect(findClaim(set, toClaimReference('identity.age'))).toMatchObject({
      value: 46,
      credential: { id: 'new' },
    });
  });
});
