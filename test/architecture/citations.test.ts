/** Each decision on the language and the service is cited by a test; each security requirement is cited or has a stated reason; every cited code is defined. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { citedRequirements, NOT_CITED, SUBJECTS } from './security-requirements.js';

const TEST_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const texts = readdirSync(TEST_FOLDER, { recursive: true, encoding: 'utf8' })
  .filter(
    (path) => /\.(test|contract)\.ts$/.test(path) || /^vectors\/.*\.json$/.test(path.replaceAll('\\', '/')),
  )
  .map((path) => readFileSync(join(TEST_FOLDER, path), 'utf8'));

const defined = new Set(
  Array.from(
    readFileSync(join(REPOSITORY, 'docs/reference/requirements.md'), 'utf8').matchAll(/^\| ([LVDS]\d+) \|/gm),
    ([, code = '']) => code,
  ),
);

it.each([
  ['the language', 'L'],
  ['the service', 'V'],
])('every decision on %s is cited by a test', (_subject, letter) => {
  const decisions = [...defined].filter((code) => code.startsWith(letter));
  expect(decisions.length).toBeGreaterThan(10);
  const missing = decisions.filter((code) => !texts.some((text) => new RegExp(`\\b${code}\\b`).test(text)));
  expect(missing).toEqual([]);
});

it('every security requirement is either cited by a test or has a reason for its absence', () => {
  const cited = citedRequirements();
  const all = SUBJECTS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  expect(all.filter((number) => !cited.has(number) && NOT_CITED[number] === undefined)).toEqual([]);
  expect(all.filter((number) => cited.has(number) && NOT_CITED[number] !== undefined)).toEqual([]);
  expect([...cited.keys()].filter((number) => !all.includes(number))).toEqual([]);
});

describe('the list of requirements', () => {
  it('defines every code that source, tests and documentation cite', () => {
    const files = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'build', 'docs', '*.md'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    const unresolved = files
      .split('\n')
      .filter((path) => /\.(?:ts|tsx|mjs|sql|css|md)$/.test(path) && existsSync(join(REPOSITORY, path)))
      .flatMap((path) =>
        unresolvedCodes(readFileSync(join(REPOSITORY, path), 'utf8'), defined).map(
          (code) => `${path}: ${code}`,
        ),
      );
    expect(unresolved).toEqual([]);
  });

  it('does not define an invented code, which the check reports; the check ignores `S256`', () => {
    // Assembled, since this file is searched for citations as well.
    const invented = `S${9}99`;
    expect(unresolvedCodes(`as ${invented} and PKCE's S256 require`, defined)).toEqual([invented]);
  });
});

/** The codes in a text that the list does not define. `S256` is a PKCE method and not a code. */
function unresolvedCodes(text: string, defined: ReadonlySet<string>): readonly string[] {
  return [...new Set(text.match(/(?<!%)\b[LVDSF][1-9]\d{0,2}\b/g))].filter(
    (code) => code !== 'S256' && !defined.has(code),
  );
}
