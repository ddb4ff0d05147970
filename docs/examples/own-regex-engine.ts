/**
 * A regular-expression engine of one's own: here one that takes plain texts alone, with `^` and `$` at their ends. With it the engine needs no re2js,
 * which is most of what it weighs in a browser.
 *
 * Start: `npx tsx docs/examples/own-regex-engine.ts`
 */
import { ClaimSet, compile, QueryError, type RegexEngine } from 'proviso';

/** What means something in a pattern; where none of it stands, a pattern is the text that it looks for. */
const META = /[\\^$.|?*+()[\]{}]/;

const literalsOnly: RegexEngine = {
  compile: (pattern) => {
    const text = pattern.replace(/^\^/, '').replace(/\$$/, '');
    if (META.test(text)) return { accepted: false, reason: 'patterns are plain texts here' };
    const [fromStart, toEnd] = [pattern.startsWith('^'), pattern.endsWith('$')];
    const test = (input: string) => {
      if (fromStart && toEnd) return input === text;
      if (fromStart) return input.startsWith(text);
      return toEnd ? input.endsWith(text) : input.includes(text);
    };
    // The size bounds the cost: at most so many steps for each character of the input.
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
