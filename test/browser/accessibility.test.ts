/**
 * Accessibility of each page: automated WCAG 2.2 AA checks at four widths, at two of them also in the dark theme; layout in both writing
 * directions; operation by keyboard; the same controls without scripts.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.js';
import { call } from '../support/call.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { logIn } from '../support/oauth-client.js';
import { findPageProblems, listControls } from '../support/page-checks.js';
import { STARTED_AT } from '../support/start-service.js';
import { tokenWithConditions } from '../support/token-with-conditions.js';

const HOUR_MS = 3_600_000;
const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const RESIDENT = {
  check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
};
const CONDITIONS = JSON.stringify(
  [ADULT, RESIDENT].map((query) => ({ type: 'claims_condition', query, purpose: 'To sell you a ticket.' })),
);

describeInBrowser('the accessibility of pages:', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ ledger: true });
  });

  afterAll(() => journey?.stop());

  let erasures = 0;

  /** Opens the pages in their main states. */
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
    'conditions before palm verification': async (page) => {
      await signIn(page, journey.origin, 'ada');
      await journey.requestConsent(page, 'openid', { authorization_details: CONDITIONS });
    },
    'conditions after palm verification': async (page) => {
      await signIn(page, journey.origin, 'ada');
      await journey.requestConsent(page, 'openid', { authorization_details: CONDITIONS });
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
    'the personal data of a person': async (page) => {
      await signIn(page, journey.origin, 'grace');
      await page.goto(`${journey.origin}/my-data`);
    },
    'the personal data of a person who signed in long ago': async (page) => {
      await signIn(page, journey.origin, 'grace');
      journey.started.clock.moveTo(STARTED_AT + HOUR_MS);
      await page.goto(`${journey.origin}/my-data`);
      journey.started.clock.moveTo(STARTED_AT);
    },
    'a completed erasure': async (page) => {
      erasures += 1;
      const name = `erased-${erasures}`;
      await journey.started.store.getOrCreatePerson({ id: name, name, about: '' });
      await signIn(page, journey.origin, name);
      await page.goto(`${journey.origin}/my-data`);
      await page.getByRole('checkbox').check();
      await Promise.all([page.waitForNavigation(), page.locator('main form button').click()]);
    },
    'grants with the ledger of an application': async (page) => {
      const token = await tokenWithConditions(journey.started, 'emeka', [ADULT, RESIDENT]);
      for (const query of [ADULT, RESIDENT])
        await call(journey.started, '/queries/evaluate', token, { query });
      await signIn(page, journey.origin, 'emeka');
      for (const summary of await page.locator('summary').all()) await summary.click();
    },
    'grants with an ended entry that can be restored': async (page) => {
      await logIn(journey.started, { login_hint: 'fatima' });
      await signIn(page, journey.origin, 'fatima');
      await press(page, /^Stop sharing/);
    },
    'a form of an ended session': async (page) => {
      await logIn(journey.started, { login_hint: 'bruno' });
      await signIn(page, journey.origin, 'bruno');
      await page.context().clearCookies();
      await press(page, /^Stop sharing/);
    },
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
    'the page "%s" passes axe at four widths, and at two of them in the dark theme, fits windows from 320 pixels in both writing directions and with text of twice the size, is operable by keyboard, and has the same controls without scripts',
    async (_name, openPage) => {
      const { page, foreignRequests, problems, close } = await journey.openVisit();
      await openPage(page);
      const controls = await listControls(page);
      expect(await findPageProblems(page)).toEqual([]);
      expect([foreignRequests, problems]).toEqual([[], []]);
      await close();
      const withoutScripts = await journey.openVisit({ javaScriptEnabled: false });
      await openPage(withoutScripts.page);
      expect(await listControls(withoutScripts.page)).toEqual(controls);
      await withoutScripts.close();
    },
  );
});
