/** The cache of compiled queries: keyed by canonical text, with a maximum size (L25, S172). */
import { expect, it } from 'vitest';
import { ClaimSet, defaultScopeCatalogue, QueryError } from '../../../src/engine/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import { createCompiledQueryCache } from '../../../src/service/queries/compiled-query-cache.js';

const AMPLE = 1_000_000;

const check = (value: unknown) => ({ check: { claim: 'a.b', operator: '==', value } });

it('two forms of the same query are compiled once', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, AMPLE);
  const canonical = { policy: { not: { check: { claim: 'a.b', operator: '==', value: { x: 1, y: 2 } } } } };
  const bare = { policy: { not: [{ operator: '==', value: { y: 2, x: 1 }, claim: 'a.b' }] } };
  expect(cache.compile(canonical)).toBe(cache.compile(bare));
});

// L25, S172
it('different queries are compiled separately', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, AMPLE);
  expect(cache.compile(check(1))).not.toBe(cache.compile(check('1')));
});

it('the least recently used query is evicted first from the cache', () => {
  const sizeOfOne = createCompiledQueryCache(re2js, defaultScopeCatalogue, AMPLE);
  sizeOfOne.compile(check(1));
  const { bytes } = sizeOfOne.readStatistics();
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 2 * bytes);
  const [one, two] = [cache.compile(check(1)), cache.compile(check(2))];
  expect(cache.compile(check(1))).toBe(one);
  cache.compile(check(3));
  expect(cache.compile(check(1))).toBe(one);
  expect(cache.compile(check(2))).not.toBe(two);
  expect(cache.readStatistics()).toEqual({ queries: 2, bytes: 2 * bytes, hits: 2, misses: 4, evictions: 2 });
});

it('a query that exceeds the capacity of the cache is compiled and not cached', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 0);
  expect(cache.compileRequest(check(1), 'full', 'text').query.test(ClaimSet.at([], 0))).toBe(false);
  expect(cache.findByText('text')).toBeUndefined();
  expect(cache.readStatistics()).toEqual({ queries: 0, bytes: 0, hits: 0, misses: 1, evictions: 1 });
});

it('a query is found by a few of its texts, whose lengths count toward its size', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, AMPLE);
  const compiled = cache.compile(check(1));
  const { bytes } = cache.readStatistics();
  const texts = Array.from({ length: 10 }, (_, spaces) => `text${' '.repeat(spaces)}`);
  for (const text of texts) expect(cache.compileRequest(check(1), 'full', text).query).toBe(compiled);
  const found = texts.filter((text) => cache.findByText(text)?.query === compiled);
  expect(found.length).toBeGreaterThan(1);
  expect(found.length).toBeLessThan(10);
  expect(cache.readStatistics().bytes).toBe(bytes + found.join('').length);
});

it('the size of a cached query includes the instructions of its patterns', () => {
  const sizeWith = (value: string) => {
    const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, AMPLE);
    cache.compile({ check: { claim: 'a.b', operator: 'matchRegex', value } });
    return cache.readStatistics().bytes;
  };
  expect(sizeWith('a{200}')).toBeGreaterThan(5 * sizeWith('a{5}'));
});

// L8
it('an invalid query is rejected with every problem, including invalid patterns', () => {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, AMPLE);
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
