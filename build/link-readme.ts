/**
 * Makes the links of README.md absolute before `npm pack`, since the registry shows the page without the repository, and relative again
 * afterwards: `tsx build/link-readme.ts absolute|relative`. Without `repository` in package.json, the links stay relative.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MANIFEST, type Manifest, ROOT } from './packages.js';

type Address = Pick<Manifest, 'repository' | 'version'>;

/** Returns the URL prefixes of files at the tag of the version, for pages and for pictures; `undefined` without a repository. */
function prefixesOf({ repository, version }: Address): readonly [page: string, picture: string] | undefined {
  const base = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return base === undefined ? undefined : [`${base}/blob/v${version}/`, `${base}/raw/v${version}/`];
}

/** Makes relative links absolute; links within the page stay unchanged. */
export function toAbsoluteLinks(markdown: string, address: Address): string {
  const [page, picture] = prefixesOf(address) ?? ['', ''];
  return markdown
    .replace(/(?<=!\[[^\]]*\]\()(?![a-z]+:|#)/g, picture)
    .replace(/(?<=\]\()(?![a-z]+:|#)/g, page);
}

/** Reverts {@link toAbsoluteLinks}. */
export function toRelativeLinks(markdown: string, address: Address): string {
  return (prefixesOf(address) ?? []).reduce((text, prefix) => text.replaceAll(`](${prefix}`, ']('), markdown);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const convert = process.argv[2] === 'absolute' ? toAbsoluteLinks : toRelativeLinks;
  const file = join(ROOT, 'README.md');
  writeFileSync(file, convert(readFileSync(file, 'utf8'), MANIFEST));
}
