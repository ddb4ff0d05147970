/** The documentation site: the Markdown of the repository with search, sidebar and two themes. */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { linkedFiles, ROOT, readSidebar, rewriteLinks, sitePath, slugify } from './pages.js';

export default defineConfig({
  title: 'Proviso',
  description: 'Policies over verified credentials, evaluated with evidence and consent.',
  lang: 'en-US',
  base: process.env['PROVISO_DOCS_BASE'] ?? '/',
  srcDir: ROOT,
  srcExclude: [
    'README.md',
    'build/**',
    'test/vectors/wycheproof/**',
    '**/node_modules/**',
    'dist/**',
    'docs/site/**',
    '.*/**',
    'reports/**',
    'coverage/**',
  ],
  rewrites: (file) => sitePath(file) ?? file,
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  cleanUrls: false,
  ignoreDeadLinks: false,
  metaChunk: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: rewriteLinks,
  },
  themeConfig: {
    nav: [
      { text: 'Quick start', link: '/tutorial/quick-start' },
      { text: 'Query language', link: '/reference/query-language' },
      { text: 'HTTP API', link: '/reference/http-api' },
      { text: 'API reference', link: '/api/index.html', target: '_self' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    sidebar: readSidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
  vite: { build: { chunkSizeWarningLimit: 2000 }, server: { fs: { allow: [ROOT] } } },
  buildEnd({ outDir }) {
    for (const file of linkedFiles) {
      const copy = join(outDir, 'files', file);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(ROOT, file), copy, { recursive: true });
    }
  },
});
