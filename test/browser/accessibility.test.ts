/** Accessibility of each page in both themes: automated WCAG 2.2 AA checks, right to left, small and large. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DESKTOP,
  describeInBrowser,
  findAccessibilityProblems,
  findOverflows,
  PHONE,
} from '../support/browser.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { logIn } from '../support/oauth-client.js';
import { STARTED_AT } from '../support/start-service.js';

const HOUR_MS = 3_600_000;

describeInBrowser('each page', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
  });

  afterAll(() => journey?.stop());

  /** The way to each page, and to each state of it. */
  const VISITS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'consent, for who is not signed in': (page) =>
      journey.requestConsent(page, 'openid profile.full data.read'),
    'consent, with all details open': async (page) => {
      await signIn(page, journey.origin, 'ada');
      await journey.requestConsent(page, 'openid identity:read kyc:read financial:read');
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
    'consent, with nothing ticked': async (page) => {
      await journey.requestConsent(page, 'kyc:read');
      await page.getByRole('checkbox').uncheck();
      await press(page, 'Share');
    },
    'palm verification': (page) => journey.requestConsent(page, 'openid kyc:tax_id'),
    'consent after it': async (page) => {
      await journey.requestConsent(page, 'openid kyc:tax_id kyc:document_number');
      await press(page, 'Verify my palm');
    },
    'an expired request': async (page) => {
      await journey.requestConsent(page, 'openid');
      journey.started.clock.moveTo(STARTED_AT + HOUR_MS);
      await page.reload();
      journey.started.clock.moveTo(STARTED_AT);
    },
    'a denied one': async (page) => {
      await journey.requestConsent(page, 'openid');
      const { href } = new URL(page.url());
      await press(page, 'Do not share');
      await page.goto(href);
    },
    'an answered one': async (page) => {
      await journey.requestConsent(page, 'openid');
      const { href } = new URL(page.url());
      await press(page, 'Share');
      await page.goto(href);
    },
    'one that was taken back': async (page) => {
      const { authorizationId } = await journey.requestConsent(page, 'openid');
      const { href } = new URL(page.url());
      await press(page, 'Share');
      await journey.started.store.revokeAuthorization(authorizationId, STARTED_AT);
      await page.goto(href);
    },
    'an unknown one': (page) => page.goto(`${journey.origin}/consent?authorization_id=none`),
    'an authorization that is refused': (page) => page.goto(`${journey.origin}/v2/oauth/authorize`),
    'sign-in': (page) => page.goto(`${journey.origin}/sign-in`),
    'a sign-out to confirm': async (page) => {
      await signIn(page, journey.origin, 'ada');
      const query = new URLSearchParams({
        client_id: 'sandbox-confidential',
        post_logout_redirect_uri: 'https://meridian.example/signed-out',
      });
      await page.goto(`${journey.origin}/v2/oauth/logout?${query}`);
    },
    'a sign-out that is done': (page) => page.goto(`${journey.origin}/v2/oauth/logout`),
    'a sign-out that is refused': (page) =>
      page.goto(
        `${journey.origin}/v2/oauth/logout?client_id=sandbox-public&post_logout_redirect_uri=https://x.example/`,
      ),
    'grants, with nothing shared': (page) => signIn(page, journey.origin, 'grace'),
    'grants, one shared, one just ended': async (page) => {
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
    '%s has nothing that axe finds in either theme, on a phone as on a desk, and fits its window from 320 pixels on, in either direction',
    async (_name, way) => {
      const { page, foreignRequests, problems, close } = await journey.openVisit();
      await way(page);
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        expect(await findAccessibilityProblems(page)).toEqual([]);
      }
      expect(await findOverflows(page)).toEqual([]);
      expect([foreignRequests, problems]).toEqual([[], []]);
      await close();
    },
  );
});
