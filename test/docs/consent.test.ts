/** Type-checks the program of the page on consent. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { typeErrors } from '../support/type-errors.js';

const PAGE = readFileSync(new URL('../../docs/guides/consent.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('the program on the consent page compiles against the package', async () => {
  const [, text = ''] = /```ts\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const source = text.replace("'proviso-server/service'", "'../../src/service/index.js'");
  expect(await typeErrors(source, { otherFiles: [`${ROOT}src/text-files.d.ts`] })).toEqual([]);
});
