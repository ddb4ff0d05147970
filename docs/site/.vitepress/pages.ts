/** Maps files of the repository to pages of the site, and reads the sidebar from `docs/README.md`. */
import { existsSync, readFileSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme, MarkdownRenderer } from 'vitepress';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Files outside of `docs` that are pages, with their path on the site. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security-policy.md',
  'bench/README.md': 'benchmarks.md',
  'test/vectors/v1/README.md': 'vectors.md',
};

/** Returns the site's path of a Markdown file, or `undefined` if the file is no page. */
export function sitePath(file: string): string | undefined {
  if (file in OTHER_PAGES) return OTHER_PAGES[file];
  if (!file.startsWith('docs/') || !file.endsWith('.md')) return undefined;
  return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Files that pages link to and that are not pages, such as examples and charts. */
export const linkedFiles = new Set<string>();

/** Rewrites links between files of the repository to links between pages of the site. */
export function rewriteLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const page = relative(ROOT, env.realPath ?? env.path)
      .split(sep)
      .join('/');
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null && !/^(?:[a-z]+:|#)/.test(href)) token.attrSet('href', siteLink(page, href));
    }
  });
}

function siteLink(page: string, href: string): string {
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(page), path);
  if (!existsSync(posix.join(ROOT, file))) throw new Error(`${page} links to ${href}, which does not exist`);
  const target = sitePath(file);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (target !== undefined) return `/${target.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}${hash}`;
  linkedFiles.add(file);
  return `/files/${file}`;
}

/** Returns the anchor of a heading as GitHub does, for ASCII titles. */
export function slugify(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Reads the sidebar from the sections and links of `docs/README.md`. */
export function readSidebar(): DefaultTheme.SidebarItem[] {
  const index = readFileSync(posix.join(ROOT, 'docs/README.md'), 'utf8');
  const sections = index.split(/^## /m).slice(1);
  return sections.map((section) => {
    const text = section.slice(0, section.indexOf('\n'));
    const groups = section.split(/^(?=\w[^\n]*:$)/m).flatMap((part) => {
      const items = linksOf(part);
      const label = /^(\w[^\n]*):$/m.exec(part)?.[1];
      return label === undefined ? items : [{ text: label, items }];
    });
    return { text, items: groups };
  });
}

function linksOf(text: string): DefaultTheme.SidebarItem[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
    .filter(([, , href = '']) => href.endsWith('.md') && !href.startsWith('..'))
    .map(([, label = '', href = '']) => ({
      text: capitalize(label),
      link: siteLink('docs/README.md', href),
    }));
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
