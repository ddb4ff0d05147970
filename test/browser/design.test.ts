/**
 * Properties that all pages share, tested on the page of `/consent` for an unknown authorization: accessibility, themes, responsive layout, no third-party
 * resources, content security policy (S64).
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageHeaders } from '../../src/http/pages/page.js';
import {
  DESKTOP,
  describeInBrowser,
  findAccessibilityProblems,
  openBrowser,
  openVisit,
  PHONE,
} from '../support/browser.js';
import { type StartedService, startService } from '../support/start-service.js';

describeInBrowser('a page', () => {
  let browser: Browser;
  let started: StartedService;
  let origin: string;

  beforeAll(async () => {
    [browser, started] = await Promise.all([openBrowser(), startService()]);
    origin = new URL(started.url).origin;
  });

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it('passes axe in both themes, without requests to other origins', async () => {
    const { page, foreignRequests, problems, close } = await openVisit(browser, { origins: [origin] });
    await page.goto(`${origin}/consent`);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect([foreignRequests, problems]).toEqual([[], []]);
    await close();
  });

  it.each([
    ['a phone', PHONE, 'ltr'],
    ['a phone', PHONE, 'rtl'],
    ['a desktop', DESKTOP, 'ltr'],
    ['a desktop', DESKTOP, 'rtl'],
  ] as const)('fits %s without horizontal scrolling (%o, %s)', async (_what, viewport, direction) => {
    const { page, close } = await openVisit(browser, { origins: [origin], viewport });
    await page.goto(`${origin}/consent`);
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBeLessThanOrEqual(0);
    await close();
  });

  it("uses the design's colors, and `data-theme` overrides the system's theme", async () => {
    const { page, close } = await openVisit(browser, { origins: [origin], colorScheme: 'light' });
    await page.goto(`${origin}/consent`);
    const backgroundColor = () =>
      page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('background-color')");
    const light = await backgroundColor();
    await page.evaluate("document.documentElement.setAttribute('data-theme', 'dark')");
    expect([light, await backgroundColor()]).toEqual(['rgb(246, 245, 241)', 'rgb(17, 21, 27)']);
    await close();
  });
});

it('the content security policy of a page allows only the sources that the page names', () => {
  const contentSecurityPolicyOf = (parts: Parameters<typeof pageHeaders>[0]) =>
    pageHeaders(parts)['Content-Security-Policy'] ?? '';
  expect(contentSecurityPolicyOf({})).toMatch(/trusted-types 'none'$/);
  expect(contentSecurityPolicyOf({})).not.toContain('connect-src');
  expect(contentSecurityPolicyOf({ hasImages: true })).toContain("img-src 'self' data:;");
  expect(contentSecurityPolicyOf({ formTargets: ['https://app.example'] })).toContain(
    "form-action 'self' https://app.example;",
  );
});
