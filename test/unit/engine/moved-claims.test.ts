/** Moving a claim set to another instant, which is possible only if the same credentials are active then (L10, L21, L22). */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type Credential } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

const EVERYTHING = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };
const CREDENTIALS: readonly Credential[] = [
  { id: 'lasting', source: 'Ada', issuedAt: 100, claims: { 'moved.level': 'basic' } },
  { id: 'ending', source: 'Bob', issuedAt: 200, expiresAt: 400, claims: { 'moved.level': 'enhanced' } },
  { id: 'withdrawn', source: 'Cid', issuedAt: 150, revokedAt: 300, claims: { 'moved.country': 'PT' } },
];
const query = compile(
  { policy: { anyOf: ['moved.level', 'moved.country'].map((claim) => ({ claim, operator: 'isDefined' })) } },
  { catalogue: EVERYTHING },
);

describe('a claim set', () => {
  it.each([200, 251, 299])(
    'that is moved to %d gives the same results as one that is indexed for that instant',
    (now) => {
      const claims = ClaimSet.at(CREDENTIALS, 250);
      // Fills the cache of JSON, which the moved claim set reuses.
      query.evaluateToJson(claims, { now: 250, scopes: [] });
      const moved = ClaimSet.move(claims, now) as ClaimSet;
      const indexed = ClaimSet.at(CREDENTIALS, now);
      expect(query.evaluateToJson(moved, { now, scopes: [] })).toBe(
        query.evaluateToJson(indexed, { now, scopes: [] }),
      );
      expect(query.evaluate(moved, { now, scopes: [] })).toEqual(
        query.evaluate(indexed, { now, scopes: [] }),
      );
    },
  );

  it.each([
    [250, 199, 'before the issuance of a credential'],
    [250, 300, 'at the revocation of a credential'],
    [350, 299, 'before the revocation of a credential'],
    [350, 400, 'at the expiry of a credential'],
    [450, 399, 'before the expiry of a credential'],
    [50, 100, 'at the issuance of a credential'],
    [250, 250.5, 'not a valid instant'],
  ])('cannot be moved from %d to %d: %s', (from, to) => {
    expect(ClaimSet.move(ClaimSet.at(CREDENTIALS, from), to)).toBeUndefined();
  });

  it('can be moved to any instant that RFC 3339 can represent while no credential starts or ends', () => {
    const nothing = ClaimSet.at([], 0);
    const [first, last] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
    expect([first, last].map((now) => ClaimSet.move(nothing, now)?.metadata.at)).toEqual([first, last]);
    expect([first - 1, last + 1].map((now) => ClaimSet.move(nothing, now))).toEqual([undefined, undefined]);
  });
});
