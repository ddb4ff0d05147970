/**
 * A custom regular-expression engine, which accepts literal strings only, with optional `^` and `$`. A program that uses it does not
 * import re2js, which would be most of its size in a browser.
 *
 * Start: `npx tsx docs/examples/own-regex-engine.ts`
 */
import { ClaimSet, compile, QueryError, type RegexEngine } from 'proviso';

/** Special characters; a pattern without any is a literal string. */
const META = /[\\^$.|?*+()[\]{}]/;

const literalsOnly: RegexEngine = {
  compile: (pattern) => {
    const text = pattern.replace(/^\^/, '').replace(/\$$/, '');
    if (META.test(text))
      return { accepted: false, reason: 'only literal strings are accepted, with optional ^ and $' };
    const [fromStart, toEnd] = [pattern.startsWith('^'), pattern.endsWith('$')];
    const test = (input: string) => {
      if (fromStart && toEnd) return input === text;
      if (fromStart) return input.startsWith(text);
      return toEnd ? input.endsWith(text) : input.includes(text);
    };
    // The program size is the maximum number of steps for each character of the input.
    return { accepted: true, pattern: { programSize: text.length + 1, test } };
  },
};

const claims = ClaimSet.at(
  [{ id: 'c1', source: 'Mail', issuedAt: 0, claims: { 'identity.email': 'ada@example.org' } }],
  1_000,
);
const matches = (value: string) =>
  compile({ check: { claim: 'identity.email', operator: 'matchRegex', value } }, { regex: literalsOnly });

console.log(`@example: ${matches('@example').test(claims)}`);
console.log(`org$: ${matches('org$').test(claims)}`);
console.log(`^org: ${matches('^org').test(claims)}`);
try {
  matches('a+');
} catch (error) {
  if (error instanceof QueryError) console.log(`a+: ${error.problems[0]?.code}`);
}
