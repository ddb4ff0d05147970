/** What is generated is in step with what it is generated from. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileRequestSchemas, VALIDATORS_FILE } from '../../build/compile-request-schemas.js';
import { pagePath, referencePages } from '../../build/write-reference.js';

it('the validators are those of the request schemas: run `npm run generate`', () => {
  expect(readFileSync(VALIDATORS_FILE, 'utf8')).toBe(compileRequestSchemas());
});

it.each([...referencePages()])('docs/%s is what the tables say: run `npm run generate`', (name, text) => {
  expect(readFileSync(pagePath(name), 'utf8')).toBe(text);
});
