/** References of claim paths, and the metadata of claim sets (L13). */
import { expect, it } from 'vitest';
import { findSlot, toClaimReference } from '../../../src/engine/claims/claim-path.js';
import { ClaimSet } from '../../../src/index.js';

it('a path has one reference, shared by all queries, and one slot', () => {
  const reference = toClaimReference('reference.one');
  expect(toClaimReference('reference.one')).toBe(reference);
  expect(findSlot('reference.one')).toBe(reference.slot);
  expect(toClaimReference('reference.two').slot).not.toBe(reference.slot);
});

// L13
it('the reference of a path has its parent claims, the longest first', () => {
  const { parents } = toClaimReference('reference.one.two.three');
  expect(parents.map(({ path, members }) => [path, members])).toEqual([
    ['reference.one.two', ['three']],
    ['reference.one', ['two', 'three']],
  ]);
  expect(toClaimReference('reference.one').parents).toEqual([]);
});

// S156
it('a claim set knows its longest string, which bounds the cost of patterns', () => {
  const longest = (claims: Record<string, unknown>) => ClaimSet.of(claims).metadata.longestString;
  expect(longest({ 'a.b': 'four', 'a.c': 'three', 'a.d': ['longer than both'], 'a.e': 1_000_000 })).toBe(16);
  expect(longest({ 'a.b': { member: 'in a member' } })).toBe(11);
  expect(longest({ 'a.b': 1 })).toBe(0);
});

it('a claim set finds a claim by its path', () => {
  const claims = ClaimSet.of({ 'a.b': { c: 1 } });
  expect(claims.metadata.find(claims, 'a.b.c')?.value).toBe(1);
  expect(claims.metadata.find(claims, 'a.c')).toBeUndefined();
});
