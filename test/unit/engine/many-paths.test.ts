/** Checks that claims are found if there are more claim paths than slots, which are positions in the arrays of claim sets (L12, L13). */
import { expect, it } from 'vitest';
import { slotCount } from '../../../src/engine/claims/claim-path.js';
import { ClaimSet, type Credential, findClaim, toClaimReference } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

const NOW = Date.UTC(2026, 5, 1);
const EVERYTHING = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };

it('paths without a slot are looked up by string, with the same results as paths with a slot', () => {
  const early = ClaimSet.at([{ id: 'e', source: 's', issuedAt: 0, claims: { 'early.claim': 1 } }], NOW);
  const claims = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [`many.claim${index}`, index]),
  );
  const credentials: Credential[] = [
    { id: 'old', source: 'Old', issuedAt: 0, claims: { ...claims, 'many.claim2999': 'old' } },
    { id: 'new', source: 'New', issuedAt: 1, expiresAt: NOW + 5, claims: { 'many.claim2999': { inner: 7 } } },
    { id: 'deep', source: 'New', issuedAt: 2, claims: { 'many.claim2998': deep(17) } },
  ];
  const set = ClaimSet.at(credentials, NOW);
  expect(slotCount()).toBe(1_024);
  const checks = [
    { claim: 'many.claim2990', operator: '==', value: 2_990 },
    { claim: 'many.claim2999.inner', operator: '==', value: 7 },
    { claim: 'many.claim2998', operator: '==', value: 2_998 },
    { claim: 'late.absent', operator: 'isDefined' },
    { claim: 'late.absent.inner', operator: 'isDefined' },
  ];
  const query = compile({ policy: { anyOf: checks } }, { catalogue: EVERYTHING });
  const result = query.evaluate(set, { now: NOW, scopes: [] });
  expect(result).toMatchObject({
    passed: true,
    evidence: {
      claimsUsed: [
        { path: 'many.claim2990', value: 2_990, credentialId: 'old' },
        { path: 'many.claim2999.inner', value: 7, credentialId: 'new' },
        { path: 'many.claim2998', value: 2_998, credentialId: 'old' },
      ],
      checkResults: [
        { passed: true },
        { passed: true },
        { passed: true },
        { passed: false },
        { passed: false },
      ],
    },
    expiresAt: new Date(NOW + 5).toISOString(),
  });
  expect(query.test(set)).toBe(true);
  // A claim set created before a query was compiled has no slots for the query's new paths.
  expect(compile({ check: { claim: 'many.claim5', operator: 'isDefined' } }).test(early)).toBe(false);
  expect(compile({ check: { claim: 'early.claim', operator: '==', value: 1 } }).test(early)).toBe(true);
});

// L12
it('a claim without a slot is found only in the claim set that has it', () => {
  const fill = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`fill.claim${index}`, index]));
  const credential = { id: 'c', source: 's', issuedAt: 0 };
  const paths = ['other.one', 'other.two'];
  const [one, two] = paths.map((path) =>
    ClaimSet.at([{ ...credential, claims: { ...fill, [path]: path, 'other.both': path } }], NOW),
  );
  for (const path of [...paths, 'other.both']) {
    expect([one, two].map((claims) => claims && findClaim(claims, toClaimReference(path))?.value)).toEqual([
      path === 'other.two' ? undefined : 'other.one',
      path === 'other.one' ? undefined : 'other.two',
    ]);
  }
});

// L10, L12
it('the credential that was issued last determines the value of a claim without a slot, in either order of credentials', () => {
  const fill = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`fill.claim${index}`, index]));
  const older = { id: 'older', source: 's', issuedAt: 0, claims: { ...fill, 'unslotted.a': 'older' } };
  const newer = { id: 'newer', source: 's', issuedAt: 1, claims: { 'unslotted.a': 'newer' } };
  for (const credentials of [
    [older, newer],
    [newer, older],
  ])
    expect(findClaim(ClaimSet.at(credentials, NOW), toClaimReference('unslotted.a'))?.value).toBe('newer');
});

function deep(levels: number): never {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value as never;
}
