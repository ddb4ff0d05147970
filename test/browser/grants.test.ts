/** The grants page in a browser: list, end and undo (V3, V11, S65, S66, S120). */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  describeInBrowser,
  findAccessibilityProblems,
  findOverflowsOfLargeText,
} from '../support/browser.js';
import { call } from '../support/call.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { isTokenValid, logIn, refresh } from '../support/oauth-client.js';
import { STARTED_AT } from '../support/start-service.js';

const SECOND_MS = 1_000;

describeInBrowser('the grants page', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ ledger: true });
  });

  beforeEach(() => journey.started.clock.moveTo(STARTED_AT));

  afterAll(() => journey?.stop());

  it('shows applications with the shared scopes, the start and the last access', async () => {
    const { page, close } = await journey.openVisit();
    await logIn(journey.started, { scope: 'openid kyc:read', login_hint: 'hugo' });
    journey.started.clock.moveTo(STARTED_AT + 86_400 * SECOND_MS);
    await logIn(journey.started, { scope: 'identity:read', login_hint: 'hugo' });
    await signIn(page, journey.origin, 'hugo');
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Stop sharing/ }) });
    const shownText = ((await card.textContent()) ?? '').replace(/\s+/g, ' ');
    // Several authorizations of one application are one entry.
    expect(await card.count()).toBe(1);
    for (const text of ['Harbour Wallet', 'Sign you in', 'Who you are', 'Your identity checks'])
      expect(shownText).toContain(text);
    expect(shownText).toMatch(/Since\s*1 June 2026\s*Last access\s*2 June 2026/);
    await close();
  });

  // V11, S110, S120
  it('ends a grant with one click, and all tokens of the client for this person are rejected at once', async () => {
    const { page, foreignRequests, problems, close } = await journey.openVisit();
    const first = await logIn(journey.started, { login_hint: 'ada' });
    const other = await logIn(journey.started, { login_hint: 'ada', scope: 'openid financial:read' });
    await signIn(page, journey.origin, 'ada');
    await press(page, 'Stop sharing with Harbour Wallet');
    expect(await page.getByRole('status').textContent()).toContain('Harbour Wallet no longer has access');
    for (const { access_token: accessToken, refresh_token: refreshToken } of [first, other]) {
      expect(await isTokenValid(journey.started, accessToken)).toBe(false);
      expect((await refresh(journey.started, refreshToken)).status).toBe(400);
    }
    expect([foreignRequests, problems]).toEqual([[], []]);
    await close();
  });

  // V3
  it('restores a grant with one click during the undo period', async () => {
    const { page, close } = await journey.openVisit();
    const { access_token: accessToken, refresh_token: refreshToken } = await logIn(journey.started, {
      login_hint: 'chiyo',
    });
    await signIn(page, journey.origin, 'chiyo');
    await press(page, /^Stop sharing/);
    journey.started.clock.moveTo(STARTED_AT + 59 * SECOND_MS);
    await press(page, /^Undo/);
    expect(await isTokenValid(journey.started, accessToken)).toBe(true);
    expect((await refresh(journey.started, refreshToken)).status).toBe(200);
    expect(await page.getByRole('button', { name: /^Stop sharing/ }).count()).toBe(1);
    await close();
  });

  it('does not restore a grant after the undo period, and shows a message', async () => {
    const { page, close } = await journey.openVisit();
    const { access_token: accessToken } = await logIn(journey.started, { login_hint: 'emeka' });
    await signIn(page, journey.origin, 'emeka');
    await press(page, /^Stop sharing/);
    journey.started.clock.moveTo(STARTED_AT + 60 * SECOND_MS);
    await press(page, /^Undo/);
    expect(await page.getByRole('alert').textContent()).toContain('too late');
    expect(await isTokenValid(journey.started, accessToken)).toBe(false);
    expect(await page.getByRole('heading', { name: 'No longer shared' }).count()).toBe(1);
    await close();
  });

  // S364, S366
  it('shows what an application has learned when the person opens the details, and deletes the record with one click', async () => {
    const { page, close } = await journey.openVisit();
    const { access_token: token } = await logIn(journey.started, { login_hint: 'dmitri', scope: 'kyc:read' });
    const query = { check: { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] } };
    await call(journey.started, '/queries/evaluate', token, { query, evidence: 'none' });
    await signIn(page, journey.origin, 'dmitri');
    await page.getByText('What the app has learned').press('Enter');
    const shown = ((await page.locator('details.learned').textContent()) ?? '').replace(/\s+/g, ' ');
    expect(shown).toMatch(
      /It can work out: your level of identity check is .*It has asked: .*(Yes|No) \d+ June 2026/,
    );
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await press(page, /^Delete this record/);
    expect(await page.locator('details.learned').count()).toBe(0);
    await close();
  });

  // S66
  it('is shown to the signed-in person only', async () => {
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
  it('requires a new sign-in after the session expired', async () => {
    const { page, close } = await journey.openVisit();
    await signIn(page, journey.origin, 'ada');
    journey.started.clock.moveTo(STARTED_AT + 8 * 3_600 * SECOND_MS);
    await page.reload();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await close();
  });

  // S66, S332
  it('has a download of the data that opens the sign-in page, and saves no file, after the session ended', async () => {
    const { page, close } = await journey.openVisit();
    await signIn(page, journey.origin, 'ada');
    await page.goto(`${journey.origin}/my-data`);
    const button = page.getByRole('link', { name: 'Download my data' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('my-data.json');
    journey.started.clock.moveTo(STARTED_AT + 8 * 3_600 * SECOND_MS);
    await Promise.all([page.waitForURL(`${journey.origin}/sign-in`), button.click()]);
    await close();
  });

  // S66, D14
  it('has a host-only session cookie that scripts cannot read and that changes at each sign-in', async () => {
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

  it('fits a window of 320 pixels with text of twice the size, also in German, whose words for sensitivities are the longest', async () => {
    const { page, close } = await journey.openVisit({ locale: 'de' });
    await logIn(journey.started, { login_hint: 'fatima', scope: 'openid kyc:tax_id' });
    await signIn(page, journey.origin, 'fatima');
    expect(await page.getByText('Streng vertraulich').count()).toBe(1);
    expect(await findOverflowsOfLargeText(page)).toEqual([]);
    await close();
  });
});
