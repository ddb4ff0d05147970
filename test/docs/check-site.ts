/**
 * Checks the built documentation site in Chromium: axe-core on every page in both themes, and searches that must find a page.
 *
 *   npm run check -- docs-site
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../support/chromium.js';

const SITE = fileURLToPath(new URL('../../docs/site/dist/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Search texts, each with a page that must be among the results. */
const SEARCHES: Readonly<Record<string, string>> = {
  'rate limiting': '/guides/rate-limiting.html',
  'bulk evaluation': '/guides/bulk-evaluation.html',
  'SQL translation': '/guides/sql-translation.html',
  revoke: '/reference/http-api.html',
  'JSON Pointer': '/reference/query-language.html',
  'static analysis': '/guides/static-analysis.html',
  'CLI reference': '/reference/cli.html',
};

const problems: string[] = [];
const server = createServer(({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
  try {
    const body = readFileSync(join(SITE, decodeURIComponent(path)));
    response.writeHead(200, { 'content-type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(body);
  } catch {
    response.writeHead(404).end();
    problems.push(`404: ${path}`);
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

if (CHROMIUM === undefined) throw new Error('this check needs a Chromium; PROVISO_CHROMIUM may name one');
const browser = await chromium.launch({ executablePath: CHROMIUM });
try {
  await checkPages(browser);
  await checkSearch(browser);
} finally {
  await browser.close();
  server.close();
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function checkPages(browser: Browser): Promise<void> {
  const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.html') && !/^(?:api|playground|files|404)/.test(path),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    for (const path of pages) {
      await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' });
      for (const violation of await violations(page)) problems.push(`${path} (${colorScheme}): ${violation}`);
    }
    await context.close();
  }
  process.stdout.write(`${pages.length} pages in two themes\n`);
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: unknown): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ runOnly: tags });
    return violations.map(
      ({ id, nodes }) =>
        `${id} at ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(', ')} (${nodes.length})`,
    );
  }, WCAG_2_2_AA);
}

async function checkSearch(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  for (const [text, expected] of Object.entries(SEARCHES)) {
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    await page.locator('.DocSearch-Button').click();
    await page.locator('input.search-input').fill(text);
    await page
      .locator('.results a.result')
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => undefined);
    await page.waitForTimeout(500);
    const links = await page
      .locator('.results a.result')
      .evaluateAll((results) => results.map((result) => result.getAttribute('href') ?? ''));
    if (!links.some((link) => link.startsWith(expected)))
      problems.push(`search for "${text}": ${expected} is not among ${links.slice(0, 10).join(' ')}`);
  }
  await page.close();
}
