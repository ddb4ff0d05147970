/** A person's claims, kept from one question to the next: always those that would be worked out anew (L10, contract §5). */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type Credential, compile } from '../../../src/engine/index.js';
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

function afresh(query: typeof OF_AGE, now: number): string {
  return query.evaluateToJson(ClaimSet.at(derived.addTo(STORED, now, query.claims), now), {
    now,
    scopes: SCOPES,
  });
}

const DAY_MS = 86_400_000;

describe('a claim that is a check on years', () => {
  /** Deployments may write any of these; the default catalogue has `<=`. */
  it.each(['<', '<=', '>', '>=', '==', '!='] as const)(
    'by `%s` is kept for as long as it is so, over birthdays at the end of February too',
    (operator) => {
      const { definition } = createServiceCatalogue();
      const path = 'identity.age_over_18';
      const check = { operator, yearsBeforeNow: 18 };
      const claims = definition.claims.map((claim) =>
        claim.path === path ? { ...claim, derived: { parent: 'identity.date_of_birth', check } } : claim,
      );
      const own = createDerivedClaims(createServiceCatalogue({ ...definition, claims }), re2js);
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
        const birthday = Date.parse(`${Number(born.slice(0, 4)) + 18}-${born.slice(5, 7)}-01T00:00:00Z`);
        const subject = createSubjectClaims(own, view);
        for (let now = birthday - 3 * DAY_MS; now < birthday + 40 * DAY_MS; now += DAY_MS / 2) {
          const fresh = ClaimSet.at(own.addTo(stored, now, query.claims), now);
          const told = [
            born,
            new Date(now).toISOString(),
            query.test(subject.at(stored, query, ORGANIZATION, now)),
          ];
          expect(told).toEqual([born, new Date(now).toISOString(), query.test(fresh)]);
        }
      }
    },
  );
});

describe('the claims of one person', () => {
  it('are those of each instant, over a birthday, back again, and over an expiry', () => {
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
      expect(OF_AGE.evaluateToJson(claims, { now, scopes: SCOPES })).toBe(afresh(OF_AGE, now));
      return OF_AGE.test(claims);
    });
    expect(passed).toEqual([false, false, true, true, false, true, false, false]);
  });

  it('are derived for the query that is evaluated', () => {
    const subject = createSubjectClaims(derived, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    for (const query of [RESIDENT, OF_AGE, RESIDENT, OF_AGE]) {
      const claims = subject.at(STORED, query, ORGANIZATION, now);
      expect(query.evaluateToJson(claims, { now, scopes: SCOPES })).toBe(afresh(query, now));
    }
  });

  it('are cached for 4,096 people, and then all evicted', () => {
    let workedOut = 0;
    const counting: DerivedClaims = {
      addTo: (...asked) => {
        workedOut += 1;
        return derived.addTo(...asked);
      },
    };
    const subject = createSubjectClaims(counting, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    const timesWorkedOut = (people: readonly (readonly Credential[])[]) => {
      const before = workedOut;
      expect(people.every((stored) => RESIDENT.test(subject.at(stored, RESIDENT, ORGANIZATION, now)))).toBe(
        true,
      );
      return workedOut - before;
    };
    const people = Array.from({ length: 4_096 }, () => [...STORED]);
    expect([timesWorkedOut(people), timesWorkedOut(people)]).toEqual([4_096, 0]);
    // One more clears the cache, so that it and later ones fit.
    expect([timesWorkedOut([[...STORED]]), timesWorkedOut(people)]).toEqual([1, 4_096]);
  });

  it('are cached by the array, not by equal contents', () => {
    const subject = createSubjectClaims(derived, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    expect(RESIDENT.test(subject.at(STORED, RESIDENT, ORGANIZATION, now))).toBe(true);
    expect(RESIDENT.test(subject.at([], RESIDENT, ORGANIZATION, now))).toBe(false);
  });

  it('are computed again for another organization', () => {
    const subject = createSubjectClaims(derived, view);
    const now = Date.parse('2026-06-01T00:00:00Z');
    const stored = [{ id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.service_uuid': 'u-1' } }];
    const query = compile({ projections: [{ claim: 'identity.service_uuid', lens: 'pluck' }] });
    const seenBy = (organizationId: string) =>
      query.evaluateToJson(subject.at(stored, query, organizationId, now), { now, scopes: SCOPES });
    const [here, there] = [seenBy('org-harbour'), seenBy('org-meridian')];
    expect(here).not.toBe(there);
    expect([seenBy('org-harbour'), seenBy('org-meridian')]).toEqual([here, there]);
  });
});
