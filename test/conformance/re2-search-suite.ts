/** Runs RE2's search tests, in the format of `re2-search.txt`, against `matchRegex` (L18). */
import { ClaimSet, QueryError } from '../../src/index.js';
import { compile } from '../support/with-re2js.js';

export interface SuiteReport {
  /** Number of compared outcomes: of a pattern on a string, or of a file. */
  readonly tried: number;
  /** Number of patterns or files that are rejected as documented, and so not compared. */
  readonly rejected: number;
  readonly failures: readonly string[];
}

const UNLIMITED = { patternProgram: 100_000, patternCodeUnits: 10_000 };

/**
 * Runs every pattern of the file on the strings of its block, by a compiled query.
 *
 * @param text - The file: blocks of `strings` and `regexps`, each a list of quoted strings. Each pattern is followed by one line per string,
 *   whose second field is the unanchored leftmost match, or `-`.
 */
export function runRe2SearchSuite(text: string): SuiteReport {
  let strings: string[] = [];
  let results: string[][] = [];
  let pattern: string | undefined;
  let section = '';
  let [tried, rejected] = [0, 0];
  const failures: string[] = [];
  const finishPattern = (): void => {
    if (pattern === undefined) return;
    const matches = matchAll(pattern, strings);
    if (matches === undefined) rejected += 1;
    else {
      for (const [index, matched] of matches.entries()) {
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
      finishPattern();
      if (line === 'strings') strings = [];
      section = line;
    } else if (line.startsWith('"')) {
      finishPattern();
      const quoted = unquote(line);
      if (section === 'strings') strings.push(quoted);
      else [pattern, results] = [quoted, []];
    } else results.push(line.split(';'));
  }
  finishPattern();
  return { tried, rejected, failures };
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
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return undefined;
  }
}

/** Parses a quoted string: JSON that may also contain `\x..`, `\a`, `\v` and literal control characters. */
function unquote(line: string): string {
  const json = line
    .replace(/\\x([0-9a-f]{2})/gi, '\\u00$1')
    .replace(/\\a/g, '\\u0007')
    .replace(/\\v/g, '\\u000b')
    .replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.parse(json) as string;
}
