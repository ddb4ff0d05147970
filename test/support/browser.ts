/** Chromium for browser tests, with visits that record errors and violations of a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM } from './chromium.js';

/** `describe`, skipped where there is no Chromium. */
export const describeInBrowser = describe.skipIf(CHROMIUM === undefined);

/** A separate browser context with one tab. */
export interface Visit {
  readonly page: Page;
  /** Origins other than the allowed ones that a page asked for anything. */
  readonly foreignRequests: readonly string[];
  /** Errors of scripts, and what the browser refused by a page's policy. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Where pages may ask: the service, and the client that it sends the browser back to. */
  readonly origins: readonly string[];
}

/** A phone, and a desk. */
export const PHONE = { width: 390, height: 844 } as const;
export const DESKTOP = { width: 1280, height: 900 } as const;

/** Starts Chromium; the caller closes it. Call it in tests of {@link describeInBrowser} only. */
export async function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work as root, as in containers.
  return await chromium.launch({
    executablePath: CHROMIUM ?? 'chromium',
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-lcd-text'],
  });
}

/** Opens a browser profile with nothing in it. */
export async function visit(browser: Browser, { origins, ...options }: VisitOptions): Promise<Visit> {
  const isPhone = (options.viewport?.width ?? DESKTOP.width) < 600;
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: DESKTOP,
    isMobile: isPhone,
    hasTouch: isPhone,
    ...options,
  });
  // What does not come in this time does not come.
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
  return { page, foreignRequests: foreignRequests, problems, close: () => context.close() };
}

/** Windows from the narrowest that WCAG asks for (1.4.10) to a wide one. */
const WINDOW_WIDTHS = [320, 390, 768, 1_280, 2_560] as const;

/** The windows in which a page has to be pushed sideways, in either direction of writing: none on a good page. */
export async function findOverflows(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    for (const width of WINDOW_WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      // What tells no width is no page that fits.
      if (!(Number(over) <= 0)) found.push(`${direction}, ${width} px: ${over} px too wide`);
    }
  }
  return found;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core holds against a page by WCAG 2.2 A and AA and by its best practices, in the light theme and in the dark one: one line a
 * rule and element, none on a good page. It is run by the debugger's door, which a page's policy does not close.
 */
export async function findAccessibilityProblems(page: Page): Promise<readonly string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(AXE);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Where a colour moves from one theme's to the other's, it would be looked at on its way.
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
