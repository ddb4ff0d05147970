/** Each decision and each security requirement is cited by a test, or a reason says why not; nothing cites what is not there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { citedRequirements, NOT_CITED, SUBJECTS } from './security-requirements.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const texts = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter(
    (path) => /\.(test|contract)\.ts$/.test(path) || /^vectors\/.*\.json$/.test(path.replaceAll('\\', '/')),
  )
  .map((path) => readFileSync(join(ROOT, path), 'utf8'));

it('every decision on the language is cited', () => {
  const missing = Array.from({ length: 25 }, (_, index) => index + 1).filter(
    (number) => !texts.some((text) => new RegExp(`\\bL${number}\\b`).test(text)),
  );
  expect(missing).toEqual([]);
});

it('every decision on the service is cited', () => {
  const missing = Array.from({ length: 14 }, (_, index) => index + 1).filter(
    (number) => !texts.some((text) => new RegExp(`\\bV${number}\\b`).test(text)),
  );
  expect(missing).toEqual([]);
});

it('every security requirement is cited, or has a reason; none has both', () => {
  const cited = citedRequirements();
  const all = SUBJECTS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  expect(all.filter((number) => !cited.has(number) && NOT_CITED[number] === undefined)).toEqual([]);
  expect(all.filter((number) => cited.has(number) && NOT_CITED[number] !== undefined)).toEqual([]);
  expect([...cited.keys()].filter((number) => !all.includes(number))).toEqual([]);
});
