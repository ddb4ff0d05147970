/** A person signs in at an OpenID Connect provider in a browser, verifies the palm at the provider, gives consent, and signs out (S321, S327, S328). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openBrowser, openVisit } from '../support/browser.js';
import { type ClientServer, startClientServer } from '../support/client-server.js';
import { press } from '../support/consent-journey.js';
import { authorizationQuery, createPkce, PUBLIC, postJson, redemption } from '../support/oauth-client.js';
import { findPageProblems, listControls } from '../support/page-checks.js';
import { type ProviderDeployment, startWithProviders } from '../support/provider-sign-in.js';

const ACCOUNTS = {
  'sub-anna': { preferred_username: 'anna', email: 'anna@people.example', email_verified: true },
};

describeInBrowser('a person with an account at a provider', () => {
  let deployment: ProviderDeployment;
  let client: ClientServer;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    [client, browser] = await Promise.all([startClientServer(), openBrowser()]);
    deployment = await startWithProviders(
      [{ accounts: ACCOUNTS }, { accounts: {}, settings: { id: 'partner', name: 'Partner accounts' } }],
      client.redirectUri,
    );
  });

  afterAll(async () => {
    await Promise.all([deployment?.stop(), client?.stop(), browser?.close()]);
  });

  it('signs in and verifies the palm at the provider, approves, and signs out at the service and the provider', async () => {
    const { origin, started, providers } = deployment;
    const origins = [origin, client.origin, ...providers.map((one) => one.origin)];
    const { page, foreignRequests, problems, close } = await openVisit(browser, { origins });
    const { verifier, challenge } = createPkce();
    const query = authorizationQuery({
      scope: 'openid identity:legal_name',
      redirect_uri: client.redirectUri,
      code_challenge: challenge,
    });
    await page.goto(`${started.url}/oauth/authorize?${query}`);
    await page.getByRole('link', { name: 'Staff accounts' }).click();
    await page.getByLabel('Account').fill('sub-anna');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Verify my palm' }).waitFor();
    const authorizationId = new URL(page.url()).searchParams.get('authorization_id') ?? '';
    await press(page, 'Verify my palm');
    // The submitted form led here over two origins, which `form-action` of its page must not block.
    await page.getByLabel('Account').fill('sub-anna');
    await page.getByRole('button', { name: 'Verify palm' }).click();
    await page.waitForURL(`${origin}/consent?**`);
    await press(page, 'Share');
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const pending = { authorizationId, verifier, cookie: '', ...PUBLIC, redirectUri: client.redirectUri };
    const tokens = await postJson(started, '/oauth/token', redemption(pending, code));
    expect([tokens.status, await tokens.json()]).toMatchObject([
      200,
      { scope: 'openid identity:legal_name' },
    ]);
    await page.goto(`${origin}/grants`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/signed-out');
    await page.goto(`${origin}/sign-in?provider=staff`);
    // The provider requires a new sign-in.
    await page.getByLabel('Account').waitFor();
    expect([foreignRequests, problems]).toEqual([[], []]);
    await close();
  });

  // These tests run after the sign-in: during them the clocks of the service and the providers drift apart, so that a later sign-in would fail.
  it.each(['/sign-in', '/consent'])(
    'offers the providers on the page %s in any window, by keyboard, and without scripts',
    async (path) => {
      const { origin, started } = deployment;
      const scope = 'openid identity:legal_name';
      const query = authorizationQuery({ scope, redirect_uri: client.redirectUri });
      const url = path === '/sign-in' ? `${origin}${path}` : `${started.url}/oauth/authorize?${query}`;
      const { page, close } = await openVisit(browser, { origins: [origin] });
      await page.goto(url);
      for (const name of ['Staff accounts', 'Partner accounts'])
        expect(await page.getByRole('link', { name }).count()).toBe(1);
      const controls = await listControls(page);
      expect(await findPageProblems(page)).toEqual([]);
      await close();
      const withoutScripts = await openVisit(browser, { origins: [origin], javaScriptEnabled: false });
      await withoutScripts.page.goto(url);
      expect(await listControls(withoutScripts.page)).toEqual(controls);
      await withoutScripts.close();
    },
  );
});
