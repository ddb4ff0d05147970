/** `explain` names the credentials that would attest an undefined claim at another instant (L10, L11, L13). */
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/analysis/index.js';
import type { Credential } from '../../src/index.js';

const NOW = 1_000;

const check = { claim: 'identity.age', operator: '>=', value: 18 } as const;

function credential(id: string, value: unknown, members: Partial<Credential>): Credential {
  const claims = { 'identity.age': value } as Credential['claims'];
  return { id, source: `Issuer of ${id}`, issuedAt: 0, claims, ...members };
}

function inactive(credentials: readonly Credential[], claim: string = check.claim) {
  return explain({ check: { ...check, claim } }, credentials, { now: NOW, scopes: [], catalogue: 'none' })
    .inactive;
}

describe('the inactive credential of an undefined claim', () => {
  it('is reported with its value, the reason why it is not active, and the instant', () => {
    const attested = { claim: 'identity.age', value: 18, credentialId: 'a', source: 'Issuer of a' };
    expect(inactive([credential('a', 18, { expiresAt: 900 })])).toEqual([
      { ...attested, reason: 'expired', at: 900 },
    ]);
    expect(inactive([credential('a', 18, { expiresAt: 900, revokedAt: 800 })])).toEqual([
      { ...attested, reason: 'revoked', at: 800 },
    ]);
    expect(inactive([credential('a', 18, { issuedAt: 1_100 })])).toEqual([
      { ...attested, reason: 'not_yet_valid', at: 1_100 },
    ]);
  });

  it('is the one that attested the claim last, rather than one that will attest it later', () => {
    const credentials = [
      credential('early', 1, { expiresAt: 500 }),
      credential('older', 2, { expiresAt: 900 }),
      credential('newer', 3, { issuedAt: 100, expiresAt: 900 }),
      credential('future', 4, { issuedAt: 1_100 }),
    ];
    expect(inactive(credentials)).toMatchObject([{ value: 3, credentialId: 'newer' }]);
  });

  it('may attest the claim as a member of another claim', () => {
    const address = credential('a', 1, { expiresAt: 900, claims: { 'identity.address': { country: 'PT' } } });
    expect(inactive([address], 'identity.address.country')).toMatchObject([{ value: 'PT' }]);
  });

  it('is absent if no credential attests the claim, or only one that is never active', () => {
    expect(inactive([])).toEqual([]);
    expect(inactive([credential('a', 18, { issuedAt: 500, revokedAt: 400 })])).toEqual([]);
  });
});

it('no inactive credential is reported for a defined claim', () => {
  expect(inactive([credential('a', 18, {}), credential('b', 17, { expiresAt: 900 })])).toEqual([]);
});
