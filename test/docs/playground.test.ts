/** Checks the statements of the page on the playground about links, files and sizes. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingEntries, variableOf } from '../../src/cli/configuration/settings.js';
import { readFragment, toFragment } from '../../src/web/playground/model/share-link.js';
import { compressedBytes } from '../support/compressed-bytes.js';
import { readBuiltPlayground } from '../support/playground.js';

const ROOT = new URL('../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/tutorial/playground.md', ROOT), 'utf8');

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
}

it('the playground reads and writes the link that the page describes', () => {
  const shared = JSON.parse(block('json')) as { readonly query: string; readonly person: string };
  const { query, person } = shared;
  const fragment = `#v1.${Buffer.from(JSON.stringify(shared)).toString('base64url')}`;
  expect(readFragment(fragment)).toEqual({ query, subject: { person } });
  expect(toFragment({ query, subject: { person } })).toBe(fragment);
});

it('the commands, folders and variables of the page on the playground exist', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const names = [...PAGE.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  expect(names).not.toEqual([]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
  const [, folder = ''] = /--directory (\S+)/.exec(block('sh')) ?? [];
  expect(existsSync(new URL(`${folder}/index.html`, ROOT))).toBe(true);
  const variables = settingEntries().map(([name]) => variableOf(name));
  const named = [...PAGE.matchAll(/PROVISO_[A-Z_]+/g)].map(([variable]) => variable);
  expect(named).not.toEqual([]);
  expect(variables).toEqual(expect.arrayContaining(named));
});

it('the playground loads less than half of its script up front', () => {
  const { page, assets } = readBuiltPlayground();
  const sizes = [...assets]
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, { text }]) => ({ bytes: compressedBytes(text), isFirst: page.includes(name) }));
  const sum = (some: typeof sizes) => some.reduce((all, { bytes }) => all + bytes, 0);
  const first = sum(sizes.filter(({ isFirst }) => isFirst));
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(sum(sizes) / 2);
});
