/** Takes screenshots of the main pages for the documentation, in both themes, on a phone and on a desktop: `npm run check -- screenshots`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, describeInBrowser, openBrowser, openVisit, PHONE } from '../support/browser.js';
import { AS_CONFIDENTIAL, authorizationQuery, postJson } from '../support/oauth-client.js';
import { choosePerson, openPlayground, readBuiltPlayground } from '../support/playground.js';
import { quantizePng } from '../support/quantized-png.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const FOLDER = fileURLToPath(new URL('../../docs/img', import.meta.url));
const HOUR_MS = 3_600_000;
/** Pages with a bar at the bottom of the window, which would be in the middle of a picture of the whole page. */
const BAR_ON_DESKTOP = ['consent', 'palm', 'conditions'];
const BAR_ON_PHONE = [...BAR_ON_DESKTOP, 'playground'];

const CONDITIONS = [
  {
    query: { check: { claim: 'identity.age', operator: '>=', value: 18 } },
    purpose: 'To sell you a ticket.',
  },
  {
    query: { check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES', 'FR'] } },
    purpose: 'To offer you the price for residents.',
  },
];

describeInBrowser('screenshots', () => {
  let browser: Browser;
  let started: StartedService;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const listener = { playground: readBuiltPlayground() };
    [browser, started] = await Promise.all([openBrowser(), startService({ listener, ledger: true })]);
    origin = new URL(started.url).origin;
  });

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  const authorizationUrl = (changes: Readonly<Record<string, string>>) =>
    `${started.url}/oauth/authorize?${authorizationQuery({ ...AS_CONFIDENTIAL, ...changes })}`;

  /** Opens each page. */
  const VISITS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    consent: async (page) => {
      await signIn(page);
      await page.goto(authorizationUrl({ scope: 'openid identity:read kyc:read financial:read' }));
    },
    palm: async (page) => {
      await signIn(page);
      await page.goto(authorizationUrl({ scope: 'openid identity:date_of_birth financial:net_worth' }));
    },
    conditions: async (page) => {
      await signIn(page);
      const details = CONDITIONS.map((condition) => ({ type: 'claims_condition', ...condition }));
      const query = authorizationQuery({
        client_id: 'sandbox-conditions',
        scope: undefined,
        authorization_details: JSON.stringify(details),
      });
      await page.goto(`${started.url}/oauth/authorize?${query}`);
    },
    expired: async (page) => {
      await page.goto(authorizationUrl({}));
      started.clock.moveTo(STARTED_AT + HOUR_MS);
      await page.reload();
      started.clock.moveTo(STARTED_AT);
    },
    'sign-in': (page) => page.goto(`${origin}/sign-in`),
    grants: async (page) => {
      await signIn(page);
      await page.getByRole('button', { name: /^Stop sharing with Harbour/ }).click();
    },
    playground: async (page) => {
      await openPlayground(page, `${origin}/playground`, STARTED_AT);
      await choosePerson(page, 'Emeka');
      await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
      // Content outside the viewport is not rendered otherwise.
      await page.evaluate("document.querySelector('.tabs').style.contentVisibility = 'visible'");
    },
  };

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${origin}/sign-in`);
    await page.getByRole('button', { name: /^ada/ }).click();
    await page.waitForURL(/grants/);
  }

  const sizes = { phone: PHONE, desktop: DESKTOP };
  const cases = Object.keys(VISITS).flatMap((name) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      (['phone', 'desktop'] as const).map((size) => [name, theme, size] as const),
    ),
  );

  it.each(cases)('are written for %s, %s, %s', async (name, colorScheme, size) => {
    await shareWithTwoApplications();
    const opened = await openVisit(browser, { origins: [origin], colorScheme, viewport: sizes[size] });
    await VISITS[name]?.(opened.page);
    const fullPage = !(size === 'phone' ? BAR_ON_PHONE : BAR_ON_DESKTOP).includes(name);
    const picture = quantizePng(await opened.page.screenshot({ fullPage }));
    expect(picture.byteLength).toBeLessThan(200_000);
    writeFileSync(`${FOLDER}/${name}-${colorScheme}-${size}.png`, picture);
    await opened.close();
  });

  /** Ensures that Ada shares claims with two applications. */
  async function shareWithTwoApplications(): Promise<void> {
    const ada = 'person-ada';
    const shared = (await started.service.grants.listAccess(ada)).filter(({ state }) => state === 'active');
    if (shared.length === 2) return;
    const token = await started.token('ada', 'openid', 'identity:read');
    const body = { query: CONDITIONS[1]?.query };
    const { status } = await postJson(started, '/queries/evaluate', body, {
      Authorization: `Bearer ${token}`,
    });
    if (status !== 200) throw new Error(`the query was answered with ${status}`);
    if (shared.length === 1) return;
    started.clock.moveTo(STARTED_AT - 400 * HOUR_MS);
    await started.store.recordDirectGrant({
      authorizationId: 'meridian',
      clientId: AS_CONFIDENTIAL.client_id,
      userId: ada,
      subject: { sector: 's', hash: 'h' },
      scopes: ['openid', 'kyc:read', 'financial:net_worth', 'financial:verified_income'],
      token: {
        tokenHash: 'm'.repeat(43),
        scopes: ['openid'],
        issuedAt: started.clock.now(),
        expiresAt: started.clock.now() + HOUR_MS,
      },
    });
    started.clock.moveTo(STARTED_AT);
  }
});
