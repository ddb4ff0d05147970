/** RP-initiated logout in a browser: from the client's site by POST, and by the confirmation page (S250, S251, S255, S257). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, findAccessibilityProblems } from '../support/browser.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { logIn, PUBLIC } from '../support/oauth-client.js';

describeInBrowser('a logout by an application', () => {
  let journey: Journey;
  let redirectUri: string;
  /** The client under another host name, which is another site for the browser. */
  let site: string;

  beforeAll(async () => {
    journey = await startJourney();
    const { store } = journey.started;
    const application = await store.findApplication(PUBLIC.clientId);
    if (application === undefined) throw new Error('the application is not registered');
    site = journey.client.origin.replace('127.0.0.1', 'localhost');
    redirectUri = `${site}/signed-out`;
    await store.upsertApplication({ ...application, postLogoutRedirectUris: [redirectUri] });
  });

  afterAll(() => journey?.stop());

  const openVisit = () => journey.openVisit({ origins: [journey.origin, site] });

  it('by a form on its site signs the person out and redirects the browser back', async () => {
    const { page, foreignRequests, problems, close } = await openVisit();
    await signIn(page, journey.origin, 'ada');
    const { id_token: hint = '' } = await logIn(journey.started, { login_hint: 'ada' });
    await page.goto(site);
    const fields = { id_token_hint: hint, post_logout_redirect_uri: redirectUri, state: 'state-1' };
    const markup = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    await page.setContent(
      `<form method="post" action="${journey.started.url}/oauth/logout">${markup.join('')}<button>Log out</button></form>`,
    );
    await press(page, 'Log out');
    expect(page.url()).toBe(`${redirectUri}?state=state-1`);
    await page.goto(`${journey.origin}/grants`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect([foreignRequests, problems]).toEqual([[], []]);
    await close();
  });

  it.each([
    ['with script', true],
    ['without script', false],
  ])('without an ID token is confirmed on a page that redirects back, %s', async (_how, hasScript) => {
    const { page, foreignRequests, problems, close } = await openVisit();
    if (!hasScript) await page.route(/pages\.js/, (route) => route.abort());
    await signIn(page, journey.origin, 'ada');
    const query = new URLSearchParams({
      client_id: PUBLIC.clientId,
      post_logout_redirect_uri: redirectUri,
      state: 'state-1',
    });
    await page.goto(`${journey.started.url}/oauth/logout?${query}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign out of Proviso?');
    expect(await page.getByText('Harbour Wallet').count()).toBe(1);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await press(page, 'Sign out');
    expect(page.url()).toBe(`${redirectUri}?state=state-1`);
    await page.goto(`${journey.origin}/grants`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect([foreignRequests, problems]).toEqual([[], []]);
    await close();
  });

  it('is canceled if the person chooses to stay signed in', async () => {
    const { page, close } = await openVisit();
    await signIn(page, journey.origin, 'ada');
    await page.goto(`${journey.started.url}/oauth/logout?client_id=${PUBLIC.clientId}`);
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await page.getByRole('heading', { name: 'What you share' }).waitFor();
    expect(await page.getByText('Signed in as').count()).toBe(1);
    await close();
  });

  it('ends on a page of the service if the application names no redirect URI', async () => {
    const { page, problems, close } = await openVisit();
    await signIn(page, journey.origin, 'ada');
    await page.goto(`${journey.started.url}/oauth/logout`);
    await press(page, 'Sign out');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are signed out');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  // S380
  it('shows its confirmation and its result in the language that the application requests', async () => {
    const { page, close } = await openVisit();
    await signIn(page, journey.origin, 'ada');
    await page.goto(`${journey.started.url}/oauth/logout?ui_locales=de`);
    await press(page, 'Abmelden');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sie sind abgemeldet');
    await close();
  });
});
