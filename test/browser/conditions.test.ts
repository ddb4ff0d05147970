/**
 * Consent to conditions in a browser, in each language: the person grants each condition or not, by keyboard and on accessible pages, and
 * finds the granted ones listed (S293–S295, S368).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, describeInBrowser, findAccessibilityProblems, PHONE } from '../support/browser.js';
import { call } from '../support/call.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { createPkce, postJson, redemption } from '../support/oauth-client.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const RESIDENT = {
  check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
};

/** Not the granted queries, but close to them. */
const OTHER_QUERIES = [
  // A part of the claim.
  { check: { ...RESIDENT.check, claim: `${RESIDENT.check.claim}.code` } },
  { check: { ...ADULT.check, claim: 'identity.age.years' } },
  // Reordered.
  { check: { ...RESIDENT.check, value: ['ES', 'PT'] } },
  // Equivalent.
  { policy: { anyOf: ['PT', 'ES'].map((value) => ({ ...RESIDENT.check, operator: '==', value })) } },
  { policy: { not: { ...ADULT.check, operator: '<' } } },
  { policy: { allOf: [ADULT.check] } },
  { check: { ...ADULT.check, operator: '>', value: 17 } },
  // Both conditions in one query; whether the claim is defined; the value of the claim.
  { policy: { allOf: [ADULT.check, RESIDENT.check] } },
  { check: { claim: ADULT.check.claim, operator: 'isDefined' } },
  { projections: [{ claim: ADULT.check.claim, lens: 'pluck' }] },
];

describeInBrowser('the consent to conditions:', () => {
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

  /** In each language: the first condition, a part of the second, and the number of selected ones, as shown. */
  const LANGUAGES: readonly (readonly [locale: string, adult: string, resident: string, counted: string])[] =
    [
      ['en-GB', 'Whether you are 18 or older.', 'Portugal or Spain', '1 of 2 selected'],
      ['de', 'Ob Sie 18 Jahre oder älter sind.', 'Portugal oder Spanien', '1 von 2 ausgewählt'],
      ['fr', 'Si vous avez 18 ans ou plus.', 'Portugal ou Espagne', '1 sur 2 sélectionnés'],
      ['es', 'Si tiene 18 años o más.', 'Portugal o España', '1 de 2 seleccionados'],
      ['pt', 'Se você tem 18 anos ou mais.', 'Portugal ou Espanha', '1 de 2 selecionados'],
      ['ar', 'الإجابة عن سؤال: هل عمرك 18 سنة أو أكثر؟', 'البرتغال أو إسبانيا', 'تم تحديد 1 من 2'],
    ];

  /** Asserts that a page has its language and direction, passes axe at the width of its visit, and does not scroll horizontally. */
  async function expectAccessible(page: Page, locale: string): Promise<void> {
    const found = await page.evaluate(`({
      lang: document.documentElement.lang,
      dir: document.documentElement.dir,
      over: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
    })`);
    expect(found).toEqual({ lang: locale, dir: locale === 'ar' ? 'rtl' : 'ltr', over: 0 });
    expect(await findAccessibilityProblems(page, ['light'])).toEqual([]);
  }

  /** Asserts that all buttons that decide are in view without scrolling. */
  async function expectDecisionsInView(page: Page, widths: readonly number[]): Promise<void> {
    const viewport = page.viewportSize() ?? PHONE;
    const decisions = await page.locator('.actions button').all();
    expect(decisions.length).toBeGreaterThan(1);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate('scrollTo(0, 0)');
      for (const decision of decisions) {
        const box = await decision.boundingBox();
        expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
      }
    }
    await page.setViewportSize(viewport);
  }

  /** Redeems the code of the last callback. */
  async function redeem(verifier: string): Promise<{ readonly access_token: string }> {
    const code = journey.client.callbacks.at(-1)?.get('code') ?? '';
    const client = { authorizationId: '', cookie: '', clientId: 'sandbox-conditions', verifier };
    const { redirectUri } = journey.client;
    const response = await postJson(
      journey.started,
      '/oauth/token',
      redemption({ ...client, redirectUri }, code),
    );
    return (await response.json()) as { readonly access_token: string };
  }

  const evaluate = (token: string, query: unknown) =>
    call(journey.started, '/queries/evaluate', token, { query });

  /** Asserts that a token permits the granted conditions, and no other query. */
  async function expectPermitted(token: string, granted: readonly object[]): Promise<void> {
    for (const query of granted) {
      const { status, body } = await evaluate(token, query);
      expect([status, body.passed, body.evidence]).toEqual([200, true, { claimsUsed: [], checkResults: [] }]);
    }
    for (const query of [ADULT, RESIDENT, ...OTHER_QUERIES].filter((one) => !granted.includes(one))) {
      const { status, body } = await evaluate(token, query);
      expect([query, status, body.error, body.context.conditions]).toEqual([
        query,
        403,
        'insufficient_scope',
        granted,
      ]);
    }
  }

  const FLOWS = LANGUAGES.flatMap(([locale, ...texts]) => [
    [
      `grants the ticked one of two conditions on a phone, in ${locale}`,
      { locale, texts, viewport: PHONE, widths: [320, 390], granted: [ADULT] },
    ] as const,
    [
      `grants two conditions on a desktop, in ${locale}`,
      { locale, texts, viewport: DESKTOP, widths: [768, 1_280], granted: [ADULT, RESIDENT] },
    ] as const,
  ]);

  // S293, S295, S368, S380, S383
  it.each(FLOWS)(
    'a person who uses only the keyboard, on accessible pages, %s, and ends the grant',
    async (_title, { locale, texts: [adult, resident, counted], viewport, widths, granted }) => {
      const visit = await journey.openVisit({ viewport, locale });
      const { page } = visit;
      const readText = async () =>
        ((await page.getByRole('main').textContent()) ?? '')
          .replace(/[\u2066-\u2069]/g, '')
          .replace(/\s+/g, ' ');
      await page.goto(`${journey.origin}/sign-in`);
      await expectAccessible(page, locale);
      await pressByKeyboard(page, 'ada');
      const verifier = await requestConditions(page);
      // Only a sensitive scope covers the age. The conditions are shown before the palm verification.
      expect(await readText()).toContain(adult);
      await expectAccessible(page, locale);
      await pressByKeyboard(page, 'palm');
      const shown = await readText();
      for (const text of ['Corner Cinema', adult, resident, 'To sell you a <b>ticket</b>.'])
        expect(shown).toContain(text);
      await expectAccessible(page, locale);
      await expectDecisionsInView(page, widths);
      if (granted.length === 1) {
        await tabTo(page, 'input[name="condition.1"]');
        await page.keyboard.press('Space');
        expect(await page.locator('input[name="condition.1"]').isChecked()).toBe(false);
        expect(await readText()).toContain(counted);
      }
      await pressByKeyboard(page, 'approve');
      expect(page.url()).toContain('callback');
      const tokens = await redeem(verifier);
      expect(tokens).toMatchObject({
        granted_scopes: [],
        authorization_details: granted.map((query) => ({ query })),
      });
      await expectPermitted(tokens.access_token, granted);

      await page.goto(`${journey.origin}/grants`);
      const listed = await readText();
      expect([listed.includes(adult), listed.includes(resident)]).toEqual([true, granted.length === 2]);
      await expectAccessible(page, locale);
      await pressByKeyboard(page, 'end');
      expect((await evaluate(tokens.access_token, ADULT)).status).toBe(401);
      expect([visit.foreignRequests, visit.problems]).toEqual([[], []]);
      await visit.close();
    },
  );

  it('the page is shown again, with an alert, if no condition is ticked', async () => {
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

/** Presses the button of a value, whose text depends on the language, and waits for the next page. */
async function pressByKeyboard(page: Page, value: string): Promise<void> {
  await tabTo(page, `button[value="${value}"]`);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

/** Moves the focus to an element by keyboard. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`${selector} must be reachable by keyboard`);
}
