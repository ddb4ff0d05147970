/** oidc-client-ts with its default settings, in a browser at another origin (S285). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { UserManagerSettings } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { describeInBrowser, openBrowser, openVisit } from '../support/browser.js';
import { call } from '../support/call.js';
import { startClientServer } from '../support/client-server.js';
import { addPublicApplication, startServiceForLibraries } from '../support/registered-application.js';

const { resolve } = createRequire(import.meta.url);
const LIBRARY = readFileSync(
  resolve('oidc-client-ts').replace(/umd\/[^/]+$/, 'browser/oidc-client-ts.min.js'),
  'utf8',
);

type Library = { readonly oidc: typeof import('oidc-client-ts') };

/** Redirects the page to the service, after the call has returned; runs in the browser. */
function signIn(settings: UserManagerSettings): void {
  const { oidc } = globalThis as unknown as Library;
  setTimeout(() => new oidc.UserManager(settings).signinRedirect());
}

/** Redeems the code, renews the tokens and revokes them; runs in the browser. */
async function complete(settings: UserManagerSettings) {
  const { oidc } = globalThis as unknown as Library;
  const manager = new oidc.UserManager(settings);
  const user = await manager.signinCallback();
  const renewed = await manager.signinSilent();
  const stored = await manager.getUser();
  await manager.revokeTokens();
  return {
    subject: user?.profile.sub,
    accessToken: user?.access_token,
    isRenewed: renewed !== null && renewed.access_token !== user?.access_token,
    isStored: stored?.access_token === renewed?.access_token,
  };
}

describeInBrowser('oidc-client-ts', () => {
  it('signs a person in by redirect, renews the tokens and revokes them with its default settings', async () => {
    const [browser, started, client] = await Promise.all([
      openBrowser(),
      startServiceForLibraries(),
      startClientServer(),
    ]);
    const { clientId, redirectUri } = await addPublicApplication(started, client.redirectUri);
    const settings = { authority: started.url, client_id: clientId, redirect_uri: redirectUri };
    const { page } = await openVisit(browser, { origins: [client.origin, new URL(started.url).origin] });
    await page.goto(client.origin);
    await page.addScriptTag({ content: LIBRARY });
    await Promise.all([page.waitForURL(/\/consent\?/), page.evaluate(signIn, settings)]);
    await page.getByRole('combobox', { name: 'You are' }).selectOption('ada');
    await Promise.all([
      page.waitForURL(/\/callback\?/),
      page.getByRole('button', { name: 'Share', exact: true }).click(),
    ]);
    await page.addScriptTag({ content: LIBRARY });
    const { accessToken, ...completed } = await page.evaluate(complete, settings);
    expect(completed).toEqual({
      subject: expect.stringMatching(/^usr_/),
      isRenewed: true,
      isStored: true,
    });
    // This access token is from before the renewal. The library revokes the refresh token, which ends all tokens of its family.
    expect((await call(started, '/userinfo', accessToken)).status).toBe(401);
    await browser.close();
    await client.stop();
    await started.stop();
  });
});
