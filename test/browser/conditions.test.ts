/** Consent to conditions in a browser: each is granted or not, by keyboard and accessibly, and listed on the person's page (S293, S294). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, findAccessibilityProblems, findOverflows, PHONE } from '../support/browser.js';
import { call } from '../support/call.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { createPkce, postJson, redemption } from '../support/oauth-client.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const RESIDENT = {
  check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
};

describeInBrowser('the consent to conditions', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
  });

  afterAll(() => journey?.stop());

  /** Requests two conditions and no scopes, and returns the verifier. */
  async function requestConditions(page: Page): Promise<string> {
    const { verifier, challenge } = createPkce();
    const details = [
      { type: 'claims_condition', query: ADULT, purpose: 'To sell you a <b>ticket</b>.' },
      { type: 'claims_condition', query: RESIDENT, purpose: 'To offer you the price for residents.' },
    ];
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: 'sandbox-conditions',
      redirect_uri: journey.client.redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      authorization_details: JSON.stringify(details),
    });
    await page.goto(`${journey.started.url}/oauth/authorize?${parameters}`);
    return verifier;
  }

  // S293
  it('grants only the ticked condition, by keyboard, with both explained; the grant is listed and can be ended', async () => {
    const visit = await journey.openVisit({ viewport: PHONE });
    const { page } = visit;
    await signIn(page, journey.origin, 'ada');
    const verifier = await requestConditions(page);
    // The age is covered by a sensitive scope only.
    await press(page, 'Verify my palm');
    const shown = (await page.getByRole('main').textContent())?.replace(/\s+/g, ' ') ?? '';
    for (const text of [
      'Corner Cinema',
      'Whether your age is at least 18',
      'To sell you a <b>ticket</b>.',
      'Whether your country of residence is one of “PT”, “ES”',
      'They learn yes or no',
      'You would share 2 of 2.',
    ])
      expect(shown).toContain(text);
    expect([await findAccessibilityProblems(page), await findOverflows(page)]).toEqual([[], []]);
    const [, resident] = await page.getByRole('checkbox').all();
    // Focused by tabbing, as without a mouse.
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.locator(':focus').getAttribute('name')) === 'condition.1') break;
    }
    await page.keyboard.press('Space');
    expect(await resident?.isChecked()).toBe(false);
    expect(await page.getByText('You would share 1 of 2.').count()).toBe(1);
    await page.getByRole('button', { name: 'Share', exact: true }).focus();
    await Promise.all([page.waitForURL(/callback/), page.keyboard.press('Enter')]);
    const code = journey.client.callbacks.at(-1)?.get('code') ?? '';
    const client = { authorizationId: '', cookie: '', clientId: 'sandbox-conditions', verifier };
    const redirectUri = journey.client.redirectUri;
    const response = await postJson(
      journey.started,
      '/oauth/token',
      redemption({ ...client, redirectUri }, code),
    );
    const tokens = (await response.json()) as { readonly access_token: string };
    expect(tokens).toMatchObject({ granted_scopes: [], authorization_details: [{ query: ADULT }] });
    const evaluate = async (query: unknown) =>
      (await call(journey.started, '/queries/evaluate', tokens.access_token, { query })).status;
    expect([await evaluate(ADULT), await evaluate(RESIDENT)]).toEqual([200, 403]);

    await page.goto(`${journey.origin}/grants`);
    expect(await page.getByText('Whether your age is at least 18').count()).toBe(1);
    expect(await page.getByText('country of residence').count()).toBe(0);
    expect([await findAccessibilityProblems(page), await findOverflows(page)]).toEqual([[], []]);
    await press(page, 'Stop sharing with Corner Cinema');
    expect(await evaluate(ADULT)).toBe(401);
    expect([visit.foreignRequests, visit.problems]).toEqual([[], []]);
    await visit.close();
  });

  it('asks again if no condition is ticked', async () => {
    const visit = await journey.openVisit();
    const { page } = visit;
    await signIn(page, journey.origin, 'ada');
    await requestConditions(page);
    await press(page, 'Verify my palm');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await press(page, 'Share');
    expect(await page.getByRole('alert').textContent()).toContain('Nothing is selected');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await visit.close();
  });
});
