/** The grants page in a browser: list, end and undo (V3, V11, S65, S66, S120). */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { isTokenValid, logIn, refresh } from '../support/oauth-client.js';
import { STARTED_AT } from '../support/start-service.js';

const SECOND_MS = 1_000;

describeInBrowser('my grants', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
  });

  beforeEach(() => journey.started.clock.moveTo(STARTED_AT));

  afterAll(() => journey?.stop());

  it('show with whom one shares what, since when, and when it was last used', async () => {
    const { page, close } = await journey.openVisit();
    await logIn(journey.started, { scope: 'openid kyc:read', login_hint: 'hugo' });
    journey.started.clock.moveTo(STARTED_AT + 86_400 * SECOND_MS);
    await logIn(journey.started, { scope: 'identity:read', login_hint: 'hugo' });
    await signIn(page, journey.origin, 'hugo');
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Stop sharing/ }) });
    const said = ((await card.textContent()) ?? '').replace(/\s+/g, ' ');
    // However often one agreed, it is one application that looks.
    expect(await card.count()).toBe(1);
    for (const text of ['Harbour Wallet', 'Sign you in', 'Who you are', 'Your identity checks'])
      expect(said).toContain(text);
    expect(said).toMatch(/Since\s*1 June 2026\s*Last access\s*2 June 2026/);
    await close();
  });

  // V11, S110, S120
  it('end with one press: the client is refused at once, with every token that it holds', async () => {
    const { page, foreignRequests, problems, close } = await journey.openVisit();
    const one = await logIn(journey.started, { login_hint: 'ada' });
    const other = await logIn(journey.started, { login_hint: 'ada', scope: 'openid financial:read' });
    await signIn(page, journey.origin, 'ada');
    await press(page, 'Stop sharing with Harbour Wallet');
    expect(await page.getByRole('status').textContent()).toContain('Harbour Wallet no longer has access');
    for (const { access_token: access, refresh_token: refreshing } of [one, other]) {
      expect(await isTokenValid(journey.started, access)).toBe(false);
      expect((await refresh(journey.started, refreshing)).status).toBe(400);
    }
    expect([foreignRequests, problems]).toEqual([[], []]);
    await close();
  });

  // V3
  it('come back whole with one press, for as long as the page offers it', async () => {
    const { page, close } = await journey.openVisit();
    const { access_token: access, refresh_token: refreshing } = await logIn(journey.started, {
      login_hint: 'chiyo',
    });
    await signIn(page, journey.origin, 'chiyo');
    await press(page, /^Stop sharing/);
    journey.started.clock.moveTo(STARTED_AT + 59 * SECOND_MS);
    await press(page, /^Undo/);
    expect(await isTokenValid(journey.started, access)).toBe(true);
    expect((await refresh(journey.started, refreshing)).status).toBe(200);
    expect(await page.getByRole('button', { name: /^Stop sharing/ }).count()).toBe(1);
    await close();
  });

  it('stay ended once that time is over, and the page says so', async () => {
    const { page, close } = await journey.openVisit();
    const { access_token: access } = await logIn(journey.started, { login_hint: 'emeka' });
    await signIn(page, journey.origin, 'emeka');
    await press(page, /^Stop sharing/);
    journey.started.clock.moveTo(STARTED_AT + 60 * SECOND_MS);
    await press(page, /^Undo/);
    expect(await page.getByRole('alert').textContent()).toContain('too late');
    expect(await isTokenValid(journey.started, access)).toBe(false);
    expect(await page.getByRole('heading', { name: 'No longer shared' }).count()).toBe(1);
    await close();
  });

  // S66
  it('are shown to who is signed in, and to nobody else', async () => {
    const { page, close } = await journey.openVisit();
    await logIn(journey.started, { login_hint: 'fatima' });
    await page.goto(`${journey.origin}/grants`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await press(page, /^grace/);
    expect(await page.getByText('You share nothing with anyone').count()).toBe(1);
    await press(page, 'Sign out');
    await page.goto(`${journey.origin}/grants`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await close();
  });

  // S66
  it('need a new sign-in once the session is over', async () => {
    const { page, close } = await journey.openVisit();
    await signIn(page, journey.origin, 'ada');
    journey.started.clock.moveTo(STARTED_AT + 8 * 3_600 * SECOND_MS);
    await page.reload();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await close();
  });

  // S66, D14
  it('the session is a cookie of this host that scripts do not see, and another one at each sign-in', async () => {
    const { page, close } = await journey.openVisit();
    const sessionOf = async () => {
      await signIn(page, journey.origin, 'ada');
      const cookies = await page.context().cookies();
      return cookies.find(({ name }) => name === 'proviso-person');
    };
    const [first, second] = [await sessionOf(), await sessionOf()];
    expect(first).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', domain: '127.0.0.1' });
    expect(first?.value).not.toBe(second?.value);
    expect(await page.evaluate('document.cookie')).toBe('');
    await close();
  });
});
