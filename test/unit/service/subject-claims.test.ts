/** Cached claims of a person always equal newly computed ones (L10). */
import { describe, expect, it } from 'vitest';
import { indexCredentials } from '../../../src/engine/claims/claim-set.js';
import { type Credential, compile } from '../../../src/engine/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import { createServiceCatalogue } from '../../../src/service/catalogue/service-catalogue.js';
import { createDerivedClaims, type DerivedClaims } from '../../../src/service/claims/derived-claims.js';
import {
  createOrganizationView,
  createPairwiseIdentifiers,
} from '../../../src/service/claims/organization-view.js';
import { createSubjectClaims } from '../../../src/service/claims/subject-claims.js';
import { systemDigest } from '../../../src/system/node-ports.js';

const view = createOrganizationView(createPairwiseIdentifiers(systemDigest, 'key'), 86_400);
const ORGANIZATION = 'org-harbour';
const derived = createDerivedClaims(createServiceCatalogue(), re2js);
const SCOPES = ['identity:read', 'identity:date_of_birth'];

const STORED: readonly Credential[] = [
  {
    id: 'c1',
    source: 'registry',
    issuedAt: Date.parse('2020-01-01T00:00:00Z'),
    expiresAt: Date.parse('2030-01-01T00:00:00Z'),
    claims: { 'identity.date_of_birth': '2008-06-01', 'identity.country_of_residence': 'PT' },
  },
];

const OF_AGE = compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } });
const RESIDENT = compile({ check: { claim: 'identity.country_of_residence', operator: '==', value: 'PT' } });

function evaluateWithoutCache(query: typeof OF_AGE, now: number): string {
  return query.evaluateToJson(indexCredentials(derived.addTo(STORED, now, query.claims), now), {
    now,
    scopes: SCOPES,
  });
}

const DAY_MS = 86_400_000;

/** Wraps derived claims to count how often they are computed. */
function countComputations(derivedClaims: DerivedClaims) {
  let computed = 0;
  const counting: DerivedClaims = {
    ...derivedClaims,
    addTo: (...parameters) => {
      computed += 1;
      return derivedClaims.addTo(...parameters);
    },
  };
  return { counting, count: () => computed };
}

describe('a derived claim that compares years', () => {
  // Custom catalogues may use any of these operators; the default catalogue uses `<=`.
  it.each(['<', '<=', '>', '>=', '==', '!='] as const)(
    'by `%s` is cached until its value changes, also for birthdays at the end of February',
    (operator) => {
      const { definition } = createServiceCatalogue();
      const path = 'identity.age_over_18';
      const check = { operator, yearsBeforeNow: 18 };
      const claims = definition.claims.map((claim) =>
        claim.path === path ? { ...claim, derived: { parent: 'identity.date_of_birth', check } } : claim,
      );
      const derivedByCheck = createDerivedClaims(createServiceCatalogue({ ...definition, claims }), re2js);
      const query = compile({ check: { claim: path, operator: '==', value: true } });
      for (const born of [
        '2006-02-27',
        '2006-02-28',
        '2006-03-01',
        '2008-02-28',
        '2008-02-29',
        '2007-06-15',
      ]) {
        const stored = [{ id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.date_of_birth': born } }];
        const monthStart = Date.parse(`${Number(born.slice(0, 4)) + 18}-${born.slice(5, 7)}-01T00:00:00Z`);
        const { counting, count } = countComputations(derivedByCheck);
        const subject = createSubjectClaims(counting, view);
        const values: boolean[] = [];
        for (let now = monthStart - 3 * DAY_MS; now < monthStart + 40 * DAY_MS; now += DAY_MS / 2) {
          const fresh = query.test(indexCredentials(derivedByCheck.addTo(stored, now, query.claims), now));
          values.push(fresh);
          const cached = [
            born,
            new Date(now).toISOString(),
            query.test(subject.at(stored, query, ORGANIZATION, now)),
          ];
          expect(cached).toEqual([born, new Date(now).toISOString(), fresh]);
        }
        const changes = values.filter((value, index) => index > 0 && value !== values[index - 1]).length;
        expect([born, count()]).toEqual([born, 1 + changes]);
      }
    },
  );
});

describe('the claims of one person', () => {
  it('are correct at each instant, across a birthday and an expiry, also backward', () => {
    const subject = createSubjectClaims(derived, view);
    const instants = [
      '2026-05-31T23:59:59.998Z',
      '2026-05-31T23:59:59.999Z',
      '2026-06-01T00:00:00.000Z',
      '2026-06-01T00:00:00.001Z',
      // A clock that is set back.
      '2026-05-31T23:59:59.999Z',
      '2029-12-31T23:59:59.999Z',
      '2030-01-01T00:00:00.000Z',
      '2019-12-31T23:59:59.999Z',
    ].map((text) => Date.parse(text));
    const passed = instants.map((now) => {
      const claims = subject.at(STORED, OF_AGE, ORGANIZATION, now);
      expect(OF_AGE.evaluateToJson(claims, { now, scopes: SCOPES })).toBe(evaluateWithoutCache(OF_AGE, now));
      return OF_AGE.test(claims);
    });
    expect(passed).toEqual([false, false, true, true, false, true, false, false]);
  });

  it('are derived for the query that is evaluated', () => {
    const subject = createSubjectClaims(derived, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    for (const query of [RESIDENT, OF_AGE, RESIDENT, OF_AGE]) {
      const claims = subject.at(STORED, query, ORGANIZATION, now);
      expect(query.evaluateToJson(claims, { now, scopes: SCOPES })).toBe(evaluateWithoutCache(query, now));
    }
  });

  const startCounting = () => {
    const { counting, count } = countComputations(derived);
    const subject = createSubjectClaims(counting, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    return (people: readonly (readonly Credential[])[]) => {
      const before = count();
      expect(people.every((stored) => RESIDENT.test(subject.at(stored, RESIDENT, ORGANIZATION, now)))).toBe(
        true,
      );
      return count() - before;
    };
  };

  it('are cached for up to 4,096 people; one more person clears the cache', () => {
    const timesComputed = startCounting();
    const people = Array.from({ length: 4_096 }, () => [...STORED]);
    expect([timesComputed(people), timesComputed(people)]).toEqual([4_096, 0]);
    // The last people first: only part of them would be computed again if the first ones alone had been removed.
    expect([timesComputed([[...STORED]]), timesComputed(people.toReversed())]).toEqual([1, 4_096]);
  });

  it('are cached by the identity of the array, not by its contents', () => {
    const timesComputed = startCounting();
    expect([timesComputed([STORED]), timesComputed([STORED]), timesComputed([[...STORED]])]).toEqual([
      1, 0, 1,
    ]);
  });

  it('are computed again for another organization', () => {
    const subject = createSubjectClaims(derived, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    const stored = [{ id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.service_uuid': 'u-1' } }];
    const query = compile({ projections: [{ claim: 'identity.service_uuid', lens: 'pluck' }] });
    const viewOf = (organizationId: string) =>
      query.evaluateToJson(subject.at(stored, query, organizationId, now), { now, scopes: SCOPES });
    const [first, second] = [viewOf('org-harbour'), viewOf('org-meridian')];
    expect(first).not.toBe(second);
    expect([viewOf('org-harbour'), viewOf('org-meridian')]).toEqual([first, second]);
  });
});
