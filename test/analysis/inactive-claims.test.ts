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

describe('an undefined claim', () => {
  it('has the value, the reason and the instant of a credential that is not active', () => {
    const about = { claim: 'identity.age', value: 18, credentialId: 'a', source: 'Issuer of a' };
    expect(inactive([credential('a', 18, { expiresAt: 900 })])).toEqual([
      { ...about, reason: 'expired', at: 900 },
    ]);
    expect(inactive([credential('a', 18, { expiresAt: 900, revokedAt: 800 })])).toEqual([
      { ...about, reason: 'revoked', at: 800 },
    ]);
    expect(inactive([credential('a', 18, { issuedAt: 1_100 })])).toEqual([
      { ...about, reason: 'not_yet_valid', at: 1_100 },
    ]);
  });

  it('has the credential that attested it last, before one that will attest it', () => {
    const credentials = [
      credential('early', 1, { expiresAt: 500 }),
      credential('older', 2, { expiresAt: 900 }),
      credential('newer', 3, { issuedAt: 100, expiresAt: 900 }),
      credential('future', 4, { issuedAt: 1_100 }),
    ];
    expect(inactive(credentials)).toMatchObject([{ value: 3, credentialId: 'newer' }]);
  });

  it('may be a member of the claim that a credential attests', () => {
    const address = credential('a', 1, { expiresAt: 900, claims: { 'identity.address': { country: 'PT' } } });
    expect(inactive([address], 'identity.address.country')).toMatchObject([{ value: 'PT' }]);
  });

  it('has none where no credential attests it, or only one that is never active', () => {
    expect(inactive([])).toEqual([]);
    expect(inactive([credential('a', 18, { issuedAt: 500, revokedAt: 400 })])).toEqual([]);
  });
});

it('a defined claim has no inactive credential', () => {
  expect(inactive([credential('a', 18, {}), credential('b', 17, { expiresAt: 900 })])).toEqual([]);
});
