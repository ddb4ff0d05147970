/** Chromium for browser tests, with visits that record errors and violations of a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM } from './chromium.js';

/** `describe`, skipped if Chromium is not installed. */
export const describeInBrowser = describe.skipIf(CHROMIUM === undefined);

/** A separate browser context with one tab. */
export interface Visit {
  readonly page: Page;
  /** URLs of requests to origins that are not allowed. */
  readonly foreignRequests: readonly string[];
  /** Errors of scripts and violations of the page's content security policy. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Allowed origins of requests, such as the service's and the client's. */
  readonly origins: readonly string[];
}

/** Viewports of a small phone, a tablet, a phone and a desktop. */
export const SMALL_PHONE = { width: 320, height: 640 } as const;
export const TABLET = { width: 768, height: 1_024 } as const;
export const PHONE = { width: 390, height: 844 } as const;
export const DESKTOP = { width: 1280, height: 900 } as const;

/** Starts Chromium, which the caller must close. Call it in tests of {@link describeInBrowser} only. */
export async function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work as root, as in containers.
  return await chromium.launch({
    executablePath: CHROMIUM ?? 'chromium',
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-lcd-text'],
  });
}

/** Opens a tab in a new, empty browser context. */
export async function openVisit(browser: Browser, { origins, ...options }: VisitOptions): Promise<Visit> {
  const isPhone = (options.viewport?.width ?? DESKTOP.width) < 600;
  const context = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: DESKTOP,
    isMobile: isPhone,
    hasTouch: isPhone,
    ...options,
  });
  // Fail tests early.
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const foreignRequests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!origins.includes(url.origin) && url.protocol !== 'data:') foreignRequests.push(url.href);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) problems.push(message.text());
  });
  return { page, foreignRequests, problems, close: () => context.close() };
}

/** Window widths from the narrowest that WCAG 1.4.10 requires to a wide one. */
const WINDOW_WIDTHS = [320, 390, 768, 1_280, 2_560] as const;

/**
 * Lists the window widths at which a page scrolls horizontally or a column is too narrow for its words, in both writing directions. The page keeps
 * the last direction and width.
 */
export async function findOverflows(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    for (const width of WINDOW_WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      found.push(...(await findExcess(page)).map((excess) => `${direction}, ${width} px: ${excess}`));
      const broken = await page.evaluate(findBrokenWords);
      found.push(...broken.map((word) => `${direction}, ${width} px: "${word}" is broken`));
    }
  }
  return found;
}

/**
 * Lists the window widths at which a page with text of twice the size scrolls horizontally, in both writing directions (WCAG 1.4.4). The page keeps the
 * last direction and width.
 */
export async function findOverflowsOfLargeText(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    for (const width of WINDOW_WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      found.push(
        ...(await findExcess(page)).map((excess) => `${direction}, ${width} px, large text: ${excess}`),
      );
    }
  }
  await page.evaluate("document.documentElement.style.fontSize = ''");
  return found;
}

/** Returns by how much a page is too wide for its window; empty if it fits. */
async function findExcess(page: Page): Promise<readonly string[]> {
  const excess = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  // A result that is not a number counts as a problem, too.
  return Number(excess) <= 0 ? [] : [`${excess} px too wide`];
}

/** Runs in a page: lists words that are broken across lines. Ignores words of more than 10 letters, and texts with other characters, such as code. */
function findBrokenWords(): readonly string[] {
  const WORD = /(?<!\S)[\p{L}\p{M}]+(?=[.,:?!]?(?:\s|$))/gu;
  const MAX_UNBROKEN_LENGTH = 10;
  const { document, NodeFilter } = globalThis as unknown as PageGlobals;
  const broken: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    for (const { index, 0: word } of (text.data ?? '').matchAll(WORD)) {
      if (word.length > MAX_UNBROKEN_LENGTH) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}

/** The globals of a page that {@link findBrokenWords} uses, since the tests are compiled without the types of a browser. */
interface PageGlobals {
  readonly NodeFilter: { readonly SHOW_TEXT: number };
  readonly document: {
    readonly body: unknown;
    createTreeWalker(root: unknown, what: number): { nextNode(): { readonly data?: string } | null };
    createRange(): {
      setStart(node: unknown, offset: number): void;
      setEnd(node: unknown, offset: number): void;
      getClientRects(): Iterable<{ readonly top: number }> & ArrayLike<{ readonly top: number }>;
    };
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Lists violations of WCAG 2.2 A and AA and of axe-core's best practices in both themes, or in those given, one line per rule and element. axe-core is injected
 * by the debugger, to which the page's content security policy does not apply.
 */
export async function findAccessibilityProblems(
  page: Page,
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<readonly string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(AXE);
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    // Wait for color transitions between the themes.
    await page.evaluate(
      'Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => true)',
    );
    found.push(...(await problemsInTheme(page)).map((problem) => `${colorScheme}: ${problem}`));
  }
  return found;
}

async function problemsInTheme(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: {
        run(
          context: unknown,
          options: unknown,
        ): Promise<{
          readonly violations: readonly {
            readonly id: string;
            readonly help: string;
            readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
          }[];
        }>;
      };
    };
    const document = (globalThis as unknown as { readonly document: unknown }).document;
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  });
}
