/** Tokens, ids and pairwise identifiers (V5, V7, S69, S95, S140). */
import { describe, expect, it } from 'vitest';
import { createPairwiseIdentifiers } from '../../../src/service/claims/organization-view.js';
import { createServiceCatalogue, parseApplications } from '../../../src/service/index.js';
import {
  createOpaqueId,
  createOpaqueToken,
  isTokenShaped,
} from '../../../src/service/tokens/opaque-token.js';
import { systemDigest, systemRandom } from '../../../src/system/node-ports.js';

const identifiersOf = (key: string) => createPairwiseIdentifiers(systemDigest, key);

describe('an opaque token', () => {
  // V7, S95
  it('is 256 bits in base64url, as encoded by Node', () => {
    for (let round = 0; round < 100; round += 1) {
      const bytes = systemRandom.bytes(32);
      const { token } = createOpaqueToken({ bytes: () => bytes }, systemDigest);
      expect(token).toBe(Buffer.from(bytes).toString('base64url'));
      expect(isTokenShaped(token)).toBe(true);
    }
  });

  // V7
  it('is stored as a digest that does not contain it', () => {
    const { token, tokenHash } = createOpaqueToken(systemRandom, systemDigest);
    expect([tokenHash.length, tokenHash === token, tokenHash]).toEqual([
      43,
      false,
      systemDigest.sha256(token),
    ]);
  });

  // S69, S95
  it('is never generated twice, nor is an id', () => {
    const tokens = new Set(
      Array.from({ length: 20_000 }, () => createOpaqueToken(systemRandom, systemDigest).token),
    );
    const ids = new Set(Array.from({ length: 20_000 }, () => createOpaqueId(systemRandom)));
    expect([tokens.size, ids.size]).toEqual([20_000, 20_000]);
    expect([...ids].every((id) => /^[A-Za-z0-9_-]{22}$/.test(id))).toBe(true);
  });

  it.each(['', 'x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)} `])(
    'is not recognized in the string %j',
    (text) => {
      expect(isTokenShaped(text)).toBe(false);
    },
  );
});

// V5, D5
describe('pairwise identifiers', () => {
  // S131
  it('are rejected as client ids', () => {
    const subject = identifiersOf('key').subject('o1', 'p1');
    const parse = (client_id: string) =>
      parseApplications(
        { applications: [{ client_id, name: 'A', organization_id: 'o', redirect_uris: [], scopes: [] }] },
        createServiceCatalogue(),
        String,
      );
    expect(parse(subject.replace('usr_', ''))).toHaveLength(1);
    expect(() => parse(subject)).toThrow('must not start with `usr_`');
  });

  const identifiers = identifiersOf('key');

  // S140
  it('are stable for an organization, and differ between organizations', () => {
    expect(identifiers.subject('o1', 'p1')).toBe(identifiersOf('key').subject('o1', 'p1'));
    const all = [
      identifiers.subject('o1', 'p1'),
      identifiers.subject('o2', 'p1'),
      identifiers.subject('o1', 'p2'),
      identifiers.credential('o1', 'p1'),
      identifiersOf('other').subject('o1', 'p1'),
      identifiers.subject('o1","p', '1'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
