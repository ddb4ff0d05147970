/** Consent to conditions in a browser: each is granted or not, by keyboard and accessibly, and listed on the person's page (S293, S294). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DESKTOP,
  describeInBrowser,
  findAccessibilityProblems,
  findOverflows,
  PHONE,
} from '../support/browser.js';
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

  /** A question as shown in each language; the name of the person's country is part of the other. */
  const LANGUAGES: readonly (readonly [tag: string, adult: string, resident: string, counted: string])[] = [
    ['en-GB', 'Whether you are 18 or older.', 'Portugal or Spain', '1 of 2 selected'],
    ['de', 'Ob Sie 18 Jahre oder älter sind.', 'Portugal oder Spanien', '1 von 2 ausgewählt'],
    ['fr', 'Si vous avez 18 ans ou plus.', 'Portugal ou Espagne', '1 sur 2 sélectionnés'],
    ['es', 'Si tiene 18 años o más.', 'Portugal o España', '1 de 2 seleccionados'],
    ['pt', 'Se você tem 18 anos ou mais.', 'Portugal ou Espanha', '1 de 2 selecionados'],
    ['ar', 'الإجابة عن سؤال: هل عمرك 18 سنة أو أكثر؟', 'البرتغال أو إسبانيا', 'تم تحديد 1 من 2'],
  ];

  /** Asserts that a page is accessible, fits all widths, and shows both decisions without scrolling. */
  async function expectAccessible(page: Page, locale: string): Promise<void> {
    const { lang, dir } = (await page.evaluate(
      '({ lang: document.documentElement.lang, dir: document.documentElement.dir })',
    )) as { readonly lang: string; readonly dir: string };
    expect([lang, dir]).toEqual([locale, locale === 'ar' ? 'rtl' : 'ltr']);
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
    expect(await findOverflows(page)).toEqual([]);
    await page.evaluate(`document.documentElement.dir = '${dir}'`);
    await page.setViewportSize(PHONE);
  }

  // S293, S380, S383
  it.each(LANGUAGES)(
    'grants only the ticked condition, by keyboard, in %s, with both explained; the grant is listed and can be ended',
    async (locale, adult, resident, counted) => {
      const visit = await journey.openVisit({ viewport: PHONE, locale });
      const { page } = visit;
      await page.goto(`${journey.origin}/sign-in`);
      await pressValue(page, 'ada');
      const verifier = await requestConditions(page);
      const readText = async () =>
        ((await page.getByRole('main').textContent()) ?? '')
          .replace(/[\u2066-\u2069]/g, '')
          .replace(/\s+/g, ' ');
      // The age is covered by a sensitive scope only. What is asked is shown before the palm.
      expect(await readText()).toContain(adult);
      await pressValue(page, 'palm');
      const shown = await readText();
      for (const text of ['Corner Cinema', adult, resident, 'To sell you a <b>ticket</b>.'])
        expect(shown).toContain(text);
      await expectAccessible(page, locale);
      const decisions = await page.locator('.actions button').all();
      for (const width of [320, 390, 768, 1_280]) {
        await page.setViewportSize({ width, height: 844 });
        await page.evaluate('scrollTo(0, 0)');
        for (const decision of decisions) {
          const box = await decision.boundingBox();
          expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
        }
      }
      await page.setViewportSize(PHONE);
      await tabTo(page, 'input[name="condition.1"]');
      await page.keyboard.press('Space');
      expect(await page.locator('input[name="condition.1"]').isChecked()).toBe(false);
      expect(await readText()).toContain(counted);
      await tabTo(page, 'button[value="approve"]');
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
      const granted = await readText();
      expect(granted).toContain(adult);
      expect(granted).not.toContain(resident);
      await expectAccessible(page, locale);
      await pressValue(page, 'end');
      expect(await evaluate(ADULT)).toBe(401);
      expect([visit.foreignRequests, visit.problems]).toEqual([[], []]);
      await visit.close();
    },
  );

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

/** Presses the button of a value, whose text depends on the language. */
async function pressValue(page: Page, value: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.locator(`button[value="${value}"]`).click()]);
}

/** Moves the focus to an element by keyboard. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`${selector} must be reachable by keyboard`);
}
