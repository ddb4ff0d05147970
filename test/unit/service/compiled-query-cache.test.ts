/** The cache of compiled queries: keyed by canonical text, with a maximum size (L25, S172). */
import { expect, it } from 'vitest';
import { defaultScopeCatalogue, QueryError } from '../../../src/engine/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import { createCompiledQueryCache } from '../../../src/service/queries/compiled-query-cache.js';

const check = (value: unknown) => ({ check: { claim: 'a.b', operator: '==', value } });

it('two forms of the same query are compiled once', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 10);
  const canonical = { policy: { not: { check: { claim: 'a.b', operator: '==', value: { x: 1, y: 2 } } } } };
  const bare = { policy: { not: [{ operator: '==', value: { y: 2, x: 1 }, claim: 'a.b' }] } };
  expect(cache.compile(canonical)).toBe(cache.compile(bare));
});

// L25, S172
it('different queries are compiled separately', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 10);
  expect(cache.compile(check(1))).not.toBe(cache.compile(check('1')));
});

it('the least recently used query is evicted first from the cache', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 2);
  const [one, two] = [cache.compile(check(1)), cache.compile(check(2))];
  expect(cache.compile(check(1))).toBe(one);
  cache.compile(check(3));
  expect(cache.compile(check(1))).toBe(one);
  expect(cache.compile(check(2))).not.toBe(two);
});

// L8
it('an invalid query is rejected with every problem, including invalid patterns', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 2);
  const query = {
    policy: {
      allOf: [
        { claim: 'a.b', operator: 'matchRegex', value: '(' },
        { claim: 'a', operator: 'isDefined' },
      ],
    },
  };
  const attempt = () => cache.compile(query);
  expect(attempt).toThrow(QueryError);
  try {
    attempt();
  } catch (error) {
    expect(error instanceof QueryError && error.problems.map(({ code }) => code)).toEqual([
      'pattern_invalid',
      'claim_path_malformed',
    ]);
  }
});
