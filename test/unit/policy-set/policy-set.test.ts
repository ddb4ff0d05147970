/** Tests the operations of policy sets, and their errors. */
import { describe, expect, it, vi } from 'vitest';
import { ClaimSet, QueryError, re2js } from '../../../src/index.js';
import { encodePolicySet } from '../../../src/policy-set/encoding.js';
import { createPolicySet, PolicySetError, policySetFromBytes } from '../../../src/policy-set/index.js';
import { IndexedPolicySet } from '../../../src/policy-set/indexed-policy-set.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const IN_EUROPE = { check: { claim: 'identity.country', operator: 'in', value: ['PT', 'ES'] } };
const NOT_RISKY = { policy: { not: { claim: 'kyc.is_high_risk', operator: '==', value: true } } };
const BOTH = { policy: { allOf: [ADULT, IN_EUROPE] } };

function sampleSet() {
  const set = createPolicySet();
  set.add('adult', ADULT);
  set.add('in Europe', IN_EUROPE);
  set.add('not risky', NOT_RISKY);
  set.add('both', BOTH);
  return set;
}

const portuguese = ClaimSet.of({ 'identity.age': 34, 'identity.country': 'PT' });
const child = ClaimSet.of({ 'identity.age': 12, 'identity.country': 'PT', 'kyc.is_high_risk': true });

describe('a policy set', () => {
  it('finds the policies that pass, in the order of their positions', () => {
    const set = sampleSet();
    expect(set.match(portuguese)).toEqual(['adult', 'in Europe', 'not risky', 'both']);
    expect(set.match(child)).toEqual(['in Europe']);
    expect(set.match(ClaimSet.of({}))).toEqual(['not risky']);
    expect(set.size).toBe(4);
  });

  it('returns the same policies as a bitmap of positions', () => {
    const set = sampleSet();
    set.delete('in Europe');
    const bitmap = set.matchBitmap(portuguese);
    expect([...bitmap].map((position) => set.idAt(position))).toEqual(set.match(portuguese));
    expect(bitmap.size).toBe(4);
    expect(set.idAt(1)).toBeUndefined();
    expect(set.idAt(99)).toBeUndefined();
  });

  it('returns the policies whose verdict changes', () => {
    expect(sampleSet().diff(child, portuguese)).toEqual({
      passing: ['adult', 'not risky', 'both'],
      failing: [],
    });
    expect(sampleSet().diff(portuguese, child)).toEqual({
      passing: [],
      failing: ['adult', 'not risky', 'both'],
    });
  });

  it('returns candidates: the policies that pass, and failing ones that the index alone does not exclude', () => {
    expect(sampleSet().candidates(portuguese)).toEqual(
      expect.arrayContaining(['adult', 'in Europe', 'not risky', 'both']),
    );
    expect(sampleSet().candidates(child)).toEqual(['in Europe']);
    const set = sampleSet();
    set.add('untagged', { policy: { not: { claim: 'a.tags', operator: 'contains', value: 'x' } } });
    const tagged = ClaimSet.of({ 'identity.age': 12, 'kyc.is_high_risk': true, 'a.tags': ['x'] });
    expect([set.match(tagged), set.candidates(tagged)]).toEqual([[], ['untagged']]);
  });

  // L13
  it('names the policies that read a claim or a member of it', () => {
    const set = sampleSet();
    set.add('capital', { check: { claim: 'identity.country.capital', operator: 'isDefined' } });
    expect(set.affectedBy(['identity.age'])).toEqual(['adult', 'both']);
    expect(set.affectedBy(['identity.country'])).toEqual(['in Europe', 'both', 'capital']);
    expect(set.affectedBy(['identity.name'])).toEqual([]);
    expect(() => set.affectedBy(['identity'])).toThrow(RangeError);
    expect(set.requiredClaims()).toEqual([
      'identity.age',
      'identity.country',
      'identity.country.capital',
      'kyc.is_high_risk',
    ]);
  });

  it('stores equal checks and groups once, whatever their order', () => {
    const set = sampleSet();
    set.add('again', { policy: { allOf: [IN_EUROPE, ADULT] } });
    expect(set.stats()).toMatchObject({ policies: 5, checks: 3, items: 5 });
    for (const id of ['adult', 'in Europe', 'not risky', 'both', 'again']) expect(set.delete(id)).toBe(true);
    expect(set.stats()).toMatchObject({ policies: 0, checks: 0, items: 0, residual: 0 });
    expect(set.match(portuguese)).toEqual([]);
  });

  it('removes a policy by its id, which may then be used again', () => {
    const set = sampleSet();
    expect(set.delete('adult')).toBe(true);
    expect(set.delete('adult')).toBe(false);
    expect(set.has('adult')).toBe(false);
    set.add('adult', NOT_RISKY);
    expect(set.match(ClaimSet.of({})).toSorted()).toEqual(['adult', 'not risky']);
  });

  it('removes hundreds of thousands of policies at once from its index, and uses their positions again', () => {
    const count = 200_000;
    const set = new IndexedPolicySet({}, { mostDeleted: count - 1, mostRoom: 64 });
    for (let index = 0; index < count; index += 1) set.add(String(index), ADULT);
    for (let index = 0; index < count; index += 1) set.delete(String(index));
    expect(set.size).toBe(0);
    set.add('adult', ADULT);
    expect([set.match(portuguese), [...set.matchBitmap(portuguese)].length]).toEqual([['adult'], 1]);
    expect(set.idAt(count)).toBeUndefined();
  });

  // In quadratic time, each would take minutes.
  it.each([
    ['half of them have the same bound, and the others decreasing ones above it', 'identity.age', '>=', 18],
    ['all match the same pattern', 'identity.email', 'matchRegex', 'example'],
  ])('adds policies in linear time where %s', (_, claim, operator, common) => {
    const count = 100_000;
    const set = new IndexedPolicySet({ regex: re2js }, { mostDeleted: count, mostRoom: 1 });
    for (let index = 0; index < count; index += 1) {
      const value = operator === 'matchRegex' || index < count / 2 ? common : 1_000_000 - index;
      set.add(String(index), { check: { claim, operator, value } });
    }
    const person = ClaimSet.of({ 'identity.age': 1_000_000, 'identity.email': 'ana@example.org' });
    expect(set.match(person).length).toBe(count);
  });

  it('counts the policies without a necessary condition, whatever was deleted', () => {
    const set = sampleSet();
    expect(set.stats().residual).toBe(1);
    set.delete('adult');
    expect(set.stats().residual).toBe(1);
    set.delete('not risky');
    expect(set.stats().residual).toBe(0);
  });

  it('rejects a second policy with the same id, an empty id, and an invalid query', () => {
    const set = sampleSet();
    expect(() => set.add('adult', ADULT)).toThrow(
      expect.objectContaining({ name: 'PolicySetError', code: 'policy_exists', policy: 'adult' }),
    );
    expect(() => set.add('', ADULT)).toThrow(TypeError);
    expect(() => set.add('projections', { projections: [{ claim: 'a.b', lens: 'pluck' }] })).toThrow(
      QueryError,
    );
    expect(() => set.add('pattern', pattern('^a'))).toThrow(
      '`matchRegex` requires a regular-expression engine',
    );
    expect(set.size).toBe(4);
  });

  it.each([1, 2, 3])('matches again after a match that ran out of memory, at allocation %i', (failing) => {
    const set = createPolicySet();
    const ids = Array.from({ length: 2_000 }, (_, index) => `policy ${index}`);
    for (const id of ids) set.add(id, ADULT);
    const setColumn = Uint32Array.prototype.set;
    let allocations = 0;
    const spy = vi.spyOn(Object.getPrototypeOf(Uint32Array.prototype) as Uint32Array, 'set');
    spy.mockImplementation(function copy(this: Uint32Array, ...args) {
      allocations += 1;
      if (allocations === failing) throw new RangeError('Array buffer allocation failed');
      setColumn.apply(this, args);
    });
    try {
      expect(() => set.match(portuguese)).toThrow('allocation failed');
    } finally {
      spy.mockRestore();
    }
    expect(set.match(portuguese)).toEqual(ids);
    set.add('in Europe', IN_EUROPE);
    expect(set.match(portuguese)).toEqual([...ids, 'in Europe']);
  });

  // S156
  it('rejects claims on which a policy’s patterns would cost too much, and names the policy', () => {
    const set = createPolicySet({ regex: re2js });
    set.add('cheap', pattern('^a'));
    set.add('costly', pattern('(?:[a-z]{10}){20}z'));
    expect(() => set.match(ClaimSet.of({ 'a.b': 'a'.repeat(20_000) }))).toThrow(
      expect.objectContaining({ name: 'PolicySetError', code: 'query_too_large', policy: 'costly' }),
    );
    expect(set.match(ClaimSet.of({ 'a.b': 'aaa' }))).toEqual(['cheap']);
    expect(set.delete('costly')).toBe(true);
    expect(set.match(ClaimSet.of({ 'a.b': 'a'.repeat(20_000) }))).toEqual(['cheap']);
  });
});

describe('a serialized policy set', () => {
  it('is parsed into an equal set', () => {
    const set = sampleSet();
    set.delete('adult');
    const copy = policySetFromBytes(set.toBytes());
    expect(copy.match(portuguese)).toEqual(['in Europe', 'not risky', 'both']);
    const { bytes, ...others } = set.stats();
    expect(copy.stats()).toMatchObject(others);
    // Structures that only `add` needs are created by the first `add`.
    expect(copy.stats().bytes).toBeLessThan(bytes);
    expect(copy.toBytes()).toEqual(policySetFromBytes(copy.toBytes()).toBytes());
  });

  it('does not store an item twice if it is added again', () => {
    const copy = policySetFromBytes(sampleSet().toBytes());
    const { checks, items } = copy.stats();
    copy.delete('both');
    for (const query of [ADULT, IN_EUROPE, NOT_RISKY, { policy: { allOf: [IN_EUROPE, ADULT] } }])
      copy.add(`again ${copy.size}`, query);
    expect(copy.stats()).toMatchObject({ checks, items, policies: 7 });
    copy.add('other', { check: { claim: 'a.other', operator: 'isDefined' } });
    expect(copy.stats()).toMatchObject({ checks: checks + 1, items: items + 1 });
  });

  it('is rejected when a byte is changed or missing', () => {
    const bytes = sampleSet().toBytes();
    for (let index = 0; index < bytes.length; index += 1) {
      const damaged = bytes.slice();
      damaged[index] = (damaged[index] as number) ^ 1;
      expect(() => policySetFromBytes(damaged)).toThrow(PolicySetError);
    }
    expect(() => policySetFromBytes(bytes.subarray(0, bytes.length - 1))).toThrow('damaged');
    expect(() => policySetFromBytes(new Uint8Array())).toThrow('must begin with');
  });

  it.each([
    ['an entry that is not a check', { tested: [null] }],
    ['an entry that is a string', { tested: ['ab'] }],
    ['no list of values', { values: undefined }],
  ])('is rejected when it has %s, whose checksum is valid', (_, changed) => {
    const encode = (lists: object) =>
      encodePolicySet({ ids: [], claims: [], values: [], tested: [], ...NO_ITEMS, ...lists } as never);
    expect(policySetFromBytes(encode({})).size).toBe(0);
    expect(() => policySetFromBytes(encode(changed))).toThrow(
      expect.objectContaining({
        name: 'PolicySetError',
        code: 'invalid_bytes',
        message: expect.stringContaining('their claims, values, checks and policies must be complete'),
      }),
    );
  });

  it('is rejected when a policy exceeds a limit', () => {
    const bytes = sampleSet().toBytes();
    expect(() => policySetFromBytes(bytes, { limits: { checks: 1 } })).toThrow(
      expect.objectContaining({ code: 'query_too_large', policy: 'both' }),
    );
  });
});

const NO_ITEMS = { checks: [], groups: [], policies: [], conditions: [] };

function pattern(value: string) {
  return { check: { claim: 'a.b', operator: 'matchRegex', value } };
}
