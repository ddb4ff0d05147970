/** Calls of the scope catalogue by the scope gate: requests repeat the same few lists of scopes, so their expansion is cached (L20). */
import { describe, expect, it } from 'vitest';
import { compile, createScopeCatalogue, type ScopeCatalogue } from '../../../src/index.js';

const names = (count: number) => Array.from({ length: count }, (_, index) => `gate.claim_${index}`);

/** Scopes that cover one claim each, and `all`, which implies them. */
const defined = createScopeCatalogue([
  ...names(40).map((path) => ({ name: `${path}:read`, covers: [path] })),
  { name: 'all', implies: names(40).map((path) => `${path}:read`) },
]);

const expanded: string[][] = [];
const catalogue: ScopeCatalogue = {
  ...defined,
  expand: (granted) => {
    expanded.push([...granted]);
    return defined.expand(granted);
  },
};

/** Compiles a query on a number of claims. */
function compileOn(count: number) {
  const allOf = names(count).map((claim) => ({ claim, operator: 'isDefined' }));
  return compile({ policy: { allOf } }, { catalogue });
}

/** Returns the lists of scopes that the gate expands for a list of granted scopes. */
function expandedFor(query: ReturnType<typeof compileOn>, granted: Iterable<string>): readonly string[][] {
  expanded.length = 0;
  query.assertCovered(granted);
  return [...expanded];
}

const TWO = ['gate.claim_0:read', 'gate.claim_1:read'];

describe('the scope gate', () => {
  // L20
  it('does not expand the same list of scopes twice in a row', () => {
    const query = compileOn(2);
    expect(expandedFor(query, TWO)).toEqual(TWO.map((scope) => [scope]));
    expect(expandedFor(query, [...TWO])).toEqual([]);
  });

  it('expands a list of the same length with another scope', () => {
    const query = compileOn(2);
    query.assertCovered(['all', 'x']);
    expect(expandedFor(query, ['all', 'y'])).toEqual([['all'], ['y']]);
    expect(expandedFor(query, ['gate.claim_1:read', 'gate.claim_0:read'])).toHaveLength(2);
    expect(() => query.assertCovered(['gate.claim_1:read', 'y'])).toThrow('`gate.claim_0`');
  });

  it('caches what each known scope covers once a second list of scopes is checked', () => {
    const query = compileOn(2);
    expandedFor(query, TWO);
    expect(expandedFor(query, [...TWO, 'unknown'])).toEqual([...TWO, 'unknown'].map((scope) => [scope]));
    expect(expandedFor(query, ['unknown', ...TWO])).toEqual([['unknown']]);
    expect(expandedFor(query, TWO)).toEqual([]);
  });

  it('expands all scopes together for more than thirty claims', () => {
    const scopes = names(31).map((path) => `${path}:read`);
    expect(expandedFor(compileOn(30), scopes)).toEqual(scopes.map((scope) => [scope]));
    expect(expandedFor(compileOn(31), scopes)).toEqual([scopes]);
  });

  it('accepts an iterator of scopes, which can be read once', () => {
    const query = compileOn(2);
    expect(expandedFor(query, TWO.values())).toEqual(TWO.map((scope) => [scope]));
    expect(() => query.assertCovered([].values())).toThrow('`gate.claim_0`');
  });
});
