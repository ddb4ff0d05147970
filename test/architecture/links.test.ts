/** Checks that links, paths and npm scripts in the documentation exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CHECKS } from '../../build/checks.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md') && !name.startsWith('docs/site/'));

it.each(PAGES)('the links and paths in %s exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
  const paths = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].filter(
    ([, path = '']) => !existsSync(join(ROOT, path)),
  );
  expect([...broken, ...paths].map(([link]) => link)).toEqual([]);
});

it('docs/README.md, the sidebar of the site, links to every page of the documentation', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => `docs/${path}`);
  expect(PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md').sort()).toEqual(
    linked.filter((path) => PAGES.includes(path)).sort(),
  );
});

it.each(PAGES)('the npm scripts and checks in %s exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const names = new Set([...Object.keys(scripts), ...CHECKS.map(({ name }) => `check -- ${name}`)]);
  const named = [...text.matchAll(/npm run (check -- (?!NAME)[\w-]+|[\w:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
