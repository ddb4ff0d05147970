/** Accessibility of each page in both themes: automated WCAG 2.2 AA checks, right to left, small and large. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DESKTOP,
  describeInBrowser,
  findAccessibilityProblems,
  findOverflows,
  PHONE,
  SMALL_PHONE,
  TABLET,
} from '../support/browser.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { logIn } from '../support/oauth-client.js';
import { STARTED_AT } from '../support/start-service.js';

const HOUR_MS = 3_600_000;

describeInBrowser('the accessibility of pages:', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
  });

  afterAll(() => journey?.stop());

  /** Opens each page in each of its states. */
  const VISITS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'the landing page': (page) => page.goto(journey.origin),
    'consent without a session': (page) => journey.requestConsent(page, 'openid profile.full data.read'),
    'consent with all details open': async (page) => {
      await signIn(page, journey.origin, 'ada');
      await journey.requestConsent(page, 'openid identity:read kyc:read financial:read');
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
    'consent with nothing ticked': async (page) => {
      await journey.requestConsent(page, 'kyc:read');
      await page.getByRole('checkbox').uncheck();
      await press(page, 'Share');
    },
    'palm verification': (page) => journey.requestConsent(page, 'openid kyc:tax_id'),
    'consent after palm verification': async (page) => {
      await journey.requestConsent(page, 'openid kyc:tax_id kyc:document_number');
      await press(page, 'Verify my palm');
    },
    'an expired request': async (page) => {
      await journey.requestConsent(page, 'openid');
      journey.started.clock.moveTo(STARTED_AT + HOUR_MS);
      await page.reload();
      journey.started.clock.moveTo(STARTED_AT);
    },
    'a denied request': async (page) => {
      await journey.requestConsent(page, 'openid');
      const { href } = new URL(page.url());
      await press(page, 'Do not share');
      await page.goto(href);
    },
    'an approved request': async (page) => {
      await journey.requestConsent(page, 'openid');
      const { href } = new URL(page.url());
      await press(page, 'Share');
      await page.goto(href);
    },
    'a revoked authorization': async (page) => {
      const { authorizationId } = await journey.requestConsent(page, 'openid');
      const { href } = new URL(page.url());
      await press(page, 'Share');
      await journey.started.store.revokeAuthorization(authorizationId, STARTED_AT);
      await page.goto(href);
    },
    'an unknown request': (page) => page.goto(`${journey.origin}/consent?authorization_id=none`),
    'a rejected authorization': (page) => page.goto(`${journey.origin}/v2/oauth/authorize`),
    'sign-in': (page) => page.goto(`${journey.origin}/sign-in`),
    'a sign-out confirmation': async (page) => {
      await signIn(page, journey.origin, 'ada');
      const query = new URLSearchParams({
        client_id: 'sandbox-confidential',
        post_logout_redirect_uri: 'https://meridian.example/signed-out',
      });
      await page.goto(`${journey.origin}/v2/oauth/logout?${query}`);
    },
    'a completed sign-out': (page) => page.goto(`${journey.origin}/v2/oauth/logout`),
    'a rejected sign-out': (page) =>
      page.goto(
        `${journey.origin}/v2/oauth/logout?client_id=sandbox-public&post_logout_redirect_uri=https://x.example/`,
      ),
    'grants without entries': (page) => signIn(page, journey.origin, 'grace'),
    'grants with a shared and a revoked entry': async (page) => {
      await logIn(journey.started, { login_hint: 'hugo' });
      await journey.started.service.grants.withdraw('person-hugo', 'sandbox-public');
      await logIn(journey.started, {
        login_hint: 'hugo',
        client_id: 'sandbox-confidential',
        redirect_uri: 'https://meridian.example/oauth/callback',
      });
      await signIn(page, journey.origin, 'hugo');
    },
  };

  it.each(Object.entries(VISITS))(
    'the page "%s" passes axe in both themes and four sizes, and fits windows from 320 pixels in both writing directions',
    async (_name, openPage) => {
      const { page, foreignRequests, problems, close } = await journey.openVisit();
      await openPage(page);
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        expect(await findAccessibilityProblems(page)).toEqual([]);
      }
      for (const viewport of [SMALL_PHONE, TABLET]) {
        await page.setViewportSize(viewport);
        expect(await findAccessibilityProblems(page, ['light'])).toEqual([]);
      }
      expect(await findOverflows(page)).toEqual([]);
      expect([foreignRequests, problems]).toEqual([[], []]);
      await close();
    },
  );
});
