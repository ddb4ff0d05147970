/** Checks that generated files are up to date. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileRequestSchemas, VALIDATORS_FILE } from '../../build/compile-request-schemas.js';
import { deploymentFiles, deploymentPath } from '../../build/write-deployment.js';
import { pagePath, referencePages } from '../../build/write-reference.js';

it('the validators match the request schemas: run `npm run generate`', () => {
  expect(readFileSync(VALIDATORS_FILE, 'utf8')).toBe(compileRequestSchemas());
});

it.each([...referencePages()])(
  'docs/%s matches the tables in the code: run `npm run generate`',
  (name, text) => {
    expect(readFileSync(pagePath(name), 'utf8')).toBe(text);
  },
);

it.each([...deploymentFiles()])(
  'deploy/%s matches the list of metrics and the version: run `npm run generate`',
  (name, text) => {
    expect(readFileSync(deploymentPath(name), 'utf8')).toBe(text);
  },
);
