/** The view of an organization on credentials: rounded instants and pairwise identifiers (V5). */
import { describe, expect, it } from 'vitest';
import type { Credential } from '../../../src/engine/index.js';
import {
  createOrganizationView,
  createPairwiseIdentifiers,
} from '../../../src/service/claims/organization-view.js';
import { systemDigest } from '../../../src/system/node-ports.js';

const identifiers = createPairwiseIdentifiers(systemDigest, 'key');
const daily = createOrganizationView(identifiers, 86_400);
const at = (text: string) => Date.parse(text);
const instant = (epochMs: number) => new Date(epochMs).toISOString();

const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the expiry that an organization receives', () => {
  const NOW = at('2026-06-01T12:34:56.789Z');

  it.each([
    ['2027-01-02T03:04:05.678Z', '2027-01-02T00:00:00.000Z'],
    ['2026-06-02T00:00:00.000Z', '2026-06-02T00:00:00.000Z'],
    ['2026-06-01T23:59:59.999Z', '2026-06-01T23:00:00.000Z'],
    ['2026-06-01T12:59:59.999Z', '2026-06-01T12:59:00.000Z'],
    ['2026-06-01T12:34:59.999Z', '2026-06-01T12:34:59.000Z'],
    ['2026-06-01T12:34:56.999Z', '2026-06-01T12:34:56.999Z'],
    ['2026-06-01T12:34:56.789Z', '2026-06-01T00:00:00.000Z'],
    ['2026-05-31T10:00:00.001Z', '2026-05-31T00:00:00.000Z'],
    ['1969-12-31T10:00:00.001Z', '1969-12-31T00:00:00.000Z'],
  ])('is rounded down from %s to %s', (expiresAt, rounded) => {
    expect(instant(daily.roundExpiry(at(expiresAt), NOW))).toBe(rounded);
  });

  it('is never later than the real expiry, and is in the future if the real one is', () => {
    for (let offset = 1; offset < 400_000_000; offset = Math.ceil(offset * 1.07)) {
      const rounded = daily.roundExpiry(NOW + offset, NOW);
      expect([rounded <= NOW + offset, rounded > NOW]).toEqual([true, true]);
    }
  });

  it('is rounded to the configured precision', () => {
    const hourly = createOrganizationView(identifiers, 3_600);
    expect(instant(hourly.roundExpiry(at('2027-01-02T03:04:05.678Z'), NOW))).toBe('2027-01-02T03:00:00.000Z');
    expect(instant(hourly.roundExpiry(at('2026-06-01T12:59:59.999Z'), NOW))).toBe('2026-06-01T12:59:00.000Z');
    const exact = createOrganizationView(identifiers, 1);
    expect(instant(exact.roundDown(at('2027-01-02T03:04:05.678Z')))).toBe('2027-01-02T03:04:05.000Z');
  });
});

it('an instant is not rounded to before the year 0000, which RFC 3339 cannot represent', () => {
  const monthly = createOrganizationView(identifiers, 30 * 86_400);
  expect(instant(monthly.roundDown(at('0000-01-01T00:00:00Z')))).toBe('0000-01-01T00:00:00.000Z');
});

describe('a globally unique identifier in a claim', () => {
  const credential: Credential = {
    id: 'c1',
    source: 's',
    issuedAt: 5,
    claims: { 'identity.service_uuid': 'u-1', 'identity.email': 'ada@example.org' },
  };
  const viewOf = (organizationId: string, subject = credential) =>
    daily.pseudonymize([subject], organizationId, 10)[0]?.claims['identity.service_uuid'];

  it('is replaced by a stable UUID per organization', () => {
    const [first, second] = [viewOf('org-harbour'), viewOf('org-meridian')];
    expect(first).toMatch(UUID_V8);
    expect(second).toMatch(UUID_V8);
    expect(first).not.toBe(second);
    expect(viewOf('org-harbour')).toBe(first);
  });

  it('is replaced by a different UUID for each value', () => {
    const values = ['u-1', 'u-2', '', 1, ['u-1'], { u: 1 }].map((value) =>
      viewOf('org-harbour', { ...credential, claims: { 'identity.service_uuid': value } }),
    );
    expect(new Set(values).size).toBe(values.length);
  });

  it('remains null or absent', () => {
    const { 'identity.email': email } = credential.claims;
    expect(viewOf('org-harbour', { ...credential, claims: { 'identity.service_uuid': null } })).toBeNull();
    expect(viewOf('org-harbour', { ...credential, claims: {} })).toBeUndefined();
    expect(daily.pseudonymize([credential], 'org-harbour', 10)[0]?.claims['identity.email']).toBe(email);
  });
});
