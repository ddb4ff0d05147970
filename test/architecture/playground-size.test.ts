/** Checks the compressed size of the playground, and the licenses of bundled packages. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compressedBytes } from '../support/compressed-bytes.js';
import { readBuiltPlayground } from '../support/playground.js';

const MAX_BYTES = 275_000;

it('the playground’s JavaScript is 275 KB or less, compressed, and the page loads neither the editor nor the descriptions up front', () => {
  const { page, assets } = readBuiltPlayground();
  const scripts = [...assets].filter(([name]) => name.endsWith('.js'));
  const sizes = scripts.map(([name, { text }]) => [name, compressedBytes(text)] as const);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  process.stdout.write(`the playground's JavaScript: ${(total / 1_000).toFixed(1)} KB compressed\n`);
  expect(total).toBeLessThanOrEqual(MAX_BYTES);
  expect(scripts.filter(([name]) => name.includes('editor')).length).toBe(1);
  expect(page).not.toContain('editor');
  const descriptions = scripts.filter(([, { text }]) => text.includes('Wohnsitzland')).map(([name]) => name);
  expect(descriptions).toHaveLength(1);
  for (const name of descriptions) expect(page).not.toContain(name);
});

it('packages of the playground are not dependencies of the service, and their licenses are included', () => {
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly dependencies: Readonly<Record<string, string>> };
  expect(Object.keys(dependencies).filter((name) => /preact|codemirror|lezer/.test(name))).toEqual([]);
  const licenses = readFileSync(
    new URL('../../dist/server/playground/licenses.txt', import.meta.url),
    'utf8',
  );
  for (const name of ['preact', '@codemirror/view', '@lezer/lr', 're2js'])
    expect(licenses).toMatch(new RegExp(`^${name}$[\\s\\S]*?licen[sc]e`, 'im'));
});

it('the licenses of the packages that are bundled with the command are included', () => {
  const licenses = readFileSync(new URL('../../dist/server/licenses.txt', import.meta.url), 'utf8');
  for (const name of ['kysely', 'date-fns', '@date-fns/utc'])
    expect(licenses).toMatch(new RegExp(`^${name}$[\\s\\S]*?licen[sc]e`, 'im'));
});
