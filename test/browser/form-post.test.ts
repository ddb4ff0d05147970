/** `response_mode=form_post` in a browser: the page submits its form automatically, and by its button without script (S51). */
import { expect, it } from 'vitest';
import { describeInBrowser, findAccessibilityProblems, openBrowser, openVisit } from '../support/browser.js';
import { startClientServer } from '../support/client-server.js';
import { authorizationQuery, createPkce } from '../support/oauth-client.js';
import { startService } from '../support/start-service.js';

describeInBrowser('a form post response', () => {
  it.each([
    ['automatically with script', true],
    ['by its button without script', false],
  ])('reaches the client %s', async (_how, hasScript) => {
    const [browser, started, client] = await Promise.all([
      openBrowser(),
      startService(),
      startClientServer(),
    ]);
    const { page, foreignRequests, problems } = await openVisit(browser, {
      origins: [client.origin, new URL(started.url).origin],
    });
    const query = authorizationQuery({
      scope: 'openid kyc:read',
      response_mode: 'form_post',
      redirect_uri: client.redirectUri,
      code_challenge: createPkce().challenge,
    });
    await page.goto(`${started.url}/oauth/authorize?${query}`);
    // Block the page's script only: the accessibility check needs scripts.
    if (!hasScript) await page.route(/pages\.js/, (route) => route.abort());
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url() === client.redirectUri,
    );
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    if (!hasScript) {
      await page.getByRole('heading', { name: 'Going back' }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue' }).click();
    }
    const form = new URLSearchParams((await posted).postData() ?? '');
    expect([...form.keys()]).toEqual(['code', 'state', 'iss']);
    await page.waitForURL(client.redirectUri);
    expect([foreignRequests, problems]).toEqual([[], []]);
    await browser.close();
    await client.stop();
    await started.stop();
  });
});
