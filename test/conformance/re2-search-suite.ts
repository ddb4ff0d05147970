/** Runs RE2's search tests against `matchRegex` (L18), from the text format of `re2-search.txt`. */
import { ClaimSet, compile } from '../../src/index.js';

export interface SuiteReport {
  readonly tried: number;
  /** Number of patterns that exceed a limit. */
  readonly refused: number;
  readonly failures: readonly string[];
}

const UNLIMITED = { patternProgram: 100_000, patternCodeUnits: 10_000, allPatternsCodeUnits: 10_000 };

/**
 * Runs every pattern of the file on every string that stands above it, through a compiled query.
 *
 * @param text - The file: blocks of `strings` and `regexps`, each a list of quoted texts; below a pattern one line a string, whose
 *   second field is the unanchored leftmost match, `-` where there is none.
 */
export function runRe2SearchSuite(text: string): SuiteReport {
  let strings: string[] = [];
  let results: string[][] = [];
  let pattern: string | undefined;
  let section = '';
  let [tried, refused] = [0, 0];
  const failures: string[] = [];
  const settle = (): void => {
    if (pattern === undefined) return;
    const verdict = matchAll(pattern, strings);
    if (verdict === undefined) refused += 1;
    else {
      for (const [index, matched] of verdict.entries()) {
        tried += 1;
        const expected = results[index]?.[1] !== '-';
        if (matched !== expected)
          failures.push(
            `${JSON.stringify(pattern)} on ${JSON.stringify(strings[index])}: expected ${expected}`,
          );
      }
    }
    pattern = undefined;
  };
  for (const line of text.split('\n')) {
    if (line === '' || /^[#A-Z]/.test(line)) continue;
    if (line === 'strings' || line === 'regexps') {
      settle();
      if (line === 'strings') strings = [];
      section = line;
    } else if (line.startsWith('"')) {
      settle();
      const quoted = unquote(line);
      if (section === 'strings') strings.push(quoted);
      else [pattern, results] = [quoted, []];
    } else results.push(line.split(';'));
  }
  settle();
  return { tried, refused, failures };
}

function matchAll(pattern: string, strings: readonly string[]): readonly boolean[] | undefined {
  try {
    const query = compile(
      { check: { claim: 'a.b', operator: 'matchRegex', value: pattern } },
      { limits: UNLIMITED },
    );
    return strings.map((text) =>
      query.test(ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': text } }], 0)),
    );
  } catch {
    return undefined;
  }
}

/** Parses the file's quoting: JSON's, and `\\x..`, `\\a`, `\\v`, and literal control characters. */
function unquote(line: string): string {
  const json = line
    .replace(/\\x([0-9a-f]{2})/gi, '\\u00$1')
    .replace(/\\a/g, '\\u0007')
    .replace(/\\v/g, '\\u000b')
    .replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.parse(json) as string;
}
