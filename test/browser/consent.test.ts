/** The consent page in a browser: every outcome (V3, V4, V6, S57, S60, S63–S68). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, PHONE, SMALL_PHONE, type Visit } from '../support/browser.js';
import { call } from '../support/call.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';
import { listControls } from '../support/page-checks.js';
import { STARTED_AT } from '../support/start-service.js';

const SCOPE = 'openid identity:read kyc:read';
const MINUTE_MS = 60_000;

describeInBrowser('the consent page', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
  });

  afterAll(() => journey?.stop());

  /** Runs a visit, and asserts that it sent no request to foreign origins and had no errors. */
  async function withVisit(
    steps: (visit: Visit) => Promise<void>,
    options: Parameters<Journey['openVisit']>[0] = {},
  ): Promise<void> {
    const visit = await journey.openVisit(options);
    await steps(visit);
    expect([visit.foreignRequests, visit.problems]).toEqual([[], []]);
    await visit.close();
  }

  const heading = (visit: Visit) => visit.page.getByRole('heading', { level: 1 }).textContent();
  const evaluateDefined = (claim: string, token: string) =>
    call(journey.started, '/queries/evaluate', token, {
      query: { check: { claim, operator: 'isDefined' } },
    });

  // V4, S72
  it('does not share unticked scopes: queries for their claims are rejected, and others are answered', async () => {
    await withVisit(async ({ page }) => {
      const pending = await journey.requestConsent(page, SCOPE);
      await page.getByRole('combobox', { name: 'You are' }).selectOption('ada');
      await page.getByRole('checkbox', { name: 'Your identity checks' }).uncheck();
      await press(page, 'Share');
      expect(Object.fromEntries(journey.client.callbacks.at(-1) ?? [])).toMatchObject({
        state: 'state-1',
        iss: journey.started.url,
      });
      const { access_token: token, scope } = await journey.redeem(pending);
      expect(scope).toBe('openid identity:read');
      expect((await evaluateDefined('identity.nationality', token)).body).toMatchObject({ passed: true });
      expect(await evaluateDefined('kyc.passed', token)).toMatchObject({
        status: 403,
        body: { error: 'insufficient_scope', context: { missing: [{ scopes: ['kyc:read'] }] } },
      });
    });
  });

  it('can be denied without choosing a person if the hinted person does not exist', async () => {
    await withVisit(async ({ page }) => {
      await journey.requestConsent(page, SCOPE, { login_hint: 'nobody@example.org' });
      expect(await page.getByText('asked for a person who does not exist here').count()).toBe(1);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      // The browser's form validation prevents the submission.
      expect(new URL(page.url()).pathname).toBe('/consent');
      await press(page, 'Do not share');
      expect(journey.client.callbacks.at(-1)?.get('error')).toBe('access_denied');
    });
  });

  // S67
  it('shows the application, its purpose, the requested and the hidden claims, the duration, and how to stop sharing', async () => {
    await withVisit(async ({ page }) => {
      await journey.requestConsent(page, SCOPE);
      const shownText = (await page.getByRole('main').textContent()) ?? '';
      for (const text of [
        'Harbour Wallet',
        'Harbour Payments Ltd',
        'To open a wallet in your name',
        new URL(journey.client.redirectUri).origin,
        'at most 30 days',
        '15 minutes',
        'Your identity, sanctions and risk checks with their date',
        'Example, not yours: Portuguese, living in Portugal',
        'Signing in needs this',
        'Your tax number',
        'You can stop at any time',
      ])
        expect(shownText.replace(/\s+/g, ' ')).toContain(text);
      // Each requested scope has a checkbox.
      expect(await page.getByRole('checkbox').count()).toBe(3);
      await page.getByText('Show all 12 items').first().click();
      expect(await page.getByText('Your phone number').isVisible()).toBe(true);
    });
  });

  // S67
  it('shows both decisions with the same size and style', async () => {
    await withVisit(async ({ page }) => {
      await journey.requestConsent(page, SCOPE);
      const appearances = await Promise.all(
        ['Do not share', 'Share'].map(async (name) => {
          const button = page.getByRole('button', { name, exact: true });
          const style = await button.evaluate((element) => {
            const { getComputedStyle } = globalThis as unknown as {
              getComputedStyle(element: unknown): Readonly<Record<string, string>>;
            };
            const style = getComputedStyle(element);
            return [style['color'], style['backgroundColor'], style['fontWeight'], style['borderColor']];
          });
          const box = await button.boundingBox();
          return [...style, box?.width, box?.height];
        }),
      );
      expect(appearances[0]).toEqual(appearances[1]);
    });
  });

  // S67
  it.each([true, false])(
    'stays open when Enter is pressed in a check box (scripts: %s)',
    async (javaScriptEnabled) => {
      await withVisit(
        async ({ page }) => {
          await journey.requestConsent(page, SCOPE);
          await page.getByRole('combobox', { name: 'You are' }).selectOption('bruno');
          await page.getByRole('checkbox', { name: 'Your identity checks' }).uncheck();
          await page.keyboard.press('Enter');
          expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
          // Nothing was decided yet, so the request can still be approved.
          await press(page, 'Share');
          expect(journey.client.callbacks.at(-1)?.has('code')).toBe(true);
        },
        { javaScriptEnabled },
      );
    },
  );

  // V4, S72
  it('is shown again if nothing is selected, and shares nothing', async () => {
    await withVisit(async ({ page }) => {
      const { authorizationId } = await journey.requestConsent(page, 'identity:read kyc:read');
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
      expect(await page.getByText('0 of 2 selected').isVisible()).toBe(true);
      await press(page, 'Share');
      expect(await page.getByRole('alert').textContent()).toContain('Nothing is selected');
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
      const { authorization } = await journey.started.service.authorizations.get(authorizationId);
      expect(authorization.status).toBe('pending_admin');
    });
  });

  // S67
  it('counts the selected scopes that the browser restores when the person goes back', async () => {
    await withVisit(async ({ page }) => {
      await journey.requestConsent(page, 'identity:read kyc:read');
      const count = page.locator('.count');
      const goAwayAndBack = async () => {
        await page.getByRole('checkbox').first().uncheck();
        expect(await count.textContent()).toBe('1 of 2 selected');
        await page.goto(`${journey.origin}/grants`);
        await page.goBack();
        return await page.getByRole('checkbox', { checked: true }).count();
      };
      // On a busy machine, Chromium may leave the page before it has saved the state of the form, and then restores none.
      await expect.poll(goAwayAndBack).toBe(1);
      expect(await count.textContent()).toBe('1 of 2 selected');
    });
  });

  // V3, S57
  it('redirects a denial to the client, and afterwards shows it with a link back', async () => {
    await withVisit(async ({ page, ...visit }) => {
      const { authorizationId } = await journey.requestConsent(page, SCOPE);
      await press(page, 'Do not share');
      expect(journey.client.callbacks.at(-1)?.get('error')).toBe('access_denied');
      await page.goto(`${journey.origin}/consent?authorization_id=${authorizationId}`);
      expect(await heading({ page, ...visit })).toBe('You chose not to share');
      const before = journey.client.callbacks.length;
      await Promise.all([
        page.waitForURL(/callback/),
        page.getByRole('link', { name: /^Go back to/ }).click(),
      ]);
      expect(journey.client.callbacks.length).toBe(before + 1);
    });
  });

  // V3, S68
  it('shows that a request has expired, also after submitting a form that was open', async () => {
    await withVisit(async ({ page, ...visit }) => {
      const { authorizationId } = await journey.requestConsent(page, SCOPE);
      journey.started.clock.moveTo(STARTED_AT + 15 * MINUTE_MS);
      await press(page, 'Share');
      expect(await heading({ page, ...visit })).toBe('This request has expired');
      await page.goto(`${journey.origin}/consent?authorization_id=${authorizationId}`);
      expect(await heading({ page, ...visit })).toBe('This request has expired');
      journey.started.clock.moveTo(STARTED_AT);
      const { authorization } = await journey.started.service.authorizations.get(authorizationId);
      expect(authorization.status).toBe('denied');
    });
  });

  // V4, S73
  it('accepts one decision: submitting or loading the form again shows that it was made, or that sharing has ended since', async () => {
    await withVisit(async ({ page, ...visit }) => {
      const pending = await journey.requestConsent(page, SCOPE);
      const otherTab = await page.context().newPage();
      await otherTab.goto(page.url());
      await press(page, 'Share');
      await journey.redeem(pending);
      const before = journey.client.callbacks.length;
      await press(otherTab, 'Share');
      expect(await heading({ ...visit, page: otherTab })).toBe('You have already answered this request');
      await page.goBack();
      expect(await heading({ ...visit, page })).toBe('You have already answered this request');
      expect(journey.client.callbacks.length).toBe(before);
      await journey.started.store.revokeAuthorization(pending.authorizationId, STARTED_AT);
      await page.goto(`${journey.origin}/consent?authorization_id=${pending.authorizationId}`);
      expect(await heading({ page, ...visit })).toBe('Sharing has ended');
    });
  });

  // V8, S80
  it('issues a code whose replay revokes the grant', async () => {
    await withVisit(async ({ page }) => {
      const pending = await journey.requestConsent(page, SCOPE);
      await press(page, 'Share');
      const { access_token: token } = await journey.redeem(pending);
      await expect(journey.redeem(pending)).rejects.toThrow('invalid_grant');
      expect((await evaluateDefined('identity.nationality', token)).status).toBe(401);
    });
  });

  // S60, S70
  it('is not found in another browser, with the response for an unknown request', async () => {
    await withVisit(async ({ page }) => {
      const { authorizationId } = await journey.requestConsent(page, SCOPE);
      await withVisit(async (other) => {
        const texts: (string | null)[] = [];
        for (const id of [authorizationId, 'x'.repeat(22)]) {
          const response = await other.page.goto(`${journey.origin}/consent?authorization_id=${id}`);
          expect(response?.status()).toBe(404);
          texts.push(await other.page.getByRole('main').textContent());
        }
        expect(texts[0]).toContain('Request not found');
        expect(texts[0]).toBe(texts[1]);
      });
    });
  });

  // V6, S67, S75
  it('requires a separate palm verification before a decision on sensitive scopes', async () => {
    await withVisit(async ({ page }) => {
      const pending = await journey.requestConsent(page, 'openid identity:legal_name');
      expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
      // The requested scopes are shown before the verification, without checkboxes.
      expect(await page.getByText('Your legal name', { exact: true }).count()).toBe(1);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await press(page, 'Verify my palm');
      expect(await page.getByRole('checkbox').count()).toBe(2);
      expect(await page.getByText('Very sensitive').count()).toBe(0);
      expect(await page.getByText('Sensitive', { exact: true }).count()).toBe(1);
      await press(page, 'Share');
      expect((await journey.redeem(pending)).scope).toBe('openid identity:legal_name');
    });
  });

  // V6, S75
  it('requires another palm verification from a person who signs in after the verified one', async () => {
    await withVisit(async ({ page }) => {
      const { authorizationId } = await journey.requestConsent(page, 'openid identity:legal_name');
      await page.getByRole('combobox', { name: 'You are' }).selectOption('hugo');
      await press(page, 'Verify my palm');
      expect(await page.getByText('You are hugo').count()).toBe(1);
      await page.getByRole('link', { name: 'Not you?' }).click();
      await press(page, /^grace/);
      expect(await page.getByText('You are grace').count()).toBe(1);
      expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
      await press(page, 'Verify my palm');
      await press(page, 'Share');
      const { authorization } = await journey.started.service.authorizations.get(authorizationId);
      expect(authorization).toMatchObject({ userId: 'person-grace', palmVerifiedPersonId: 'person-grace' });
    });
  });

  // S65
  it('is shown again to a person who signed in after it was shown to another one', async () => {
    await withVisit(async ({ page }) => {
      await signIn(page, journey.origin, 'grace');
      const { authorizationId } = await journey.requestConsent(page, 'openid kyc:read');
      const otherTab = await page.context().newPage();
      await signIn(otherTab, journey.origin, 'hugo');
      await press(page, 'Share');
      expect(await page.getByRole('alert').textContent()).toContain('Nothing was shared');
      expect(await page.getByText('You are hugo').count()).toBe(1);
      await press(page, 'Share');
      const { authorization } = await journey.started.service.authorizations.get(authorizationId);
      expect(authorization.userId).toBe('person-hugo');
    });
  });

  // S66
  it('remembers the signed-in person, and offers to sign in as another person', async () => {
    await withVisit(async ({ page }) => {
      await signIn(page, journey.origin, 'grace');
      await journey.requestConsent(page, 'openid identity:read');
      expect(await page.getByRole('combobox', { name: 'You are' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Not you?' }).click();
      await press(page, /^hugo/);
      const pending = new URL(page.url()).searchParams.get('authorization_id') ?? '';
      expect(await page.getByText('You are hugo').count()).toBe(1);
      await press(page, 'Share');
      const { authorization } = await journey.started.service.authorizations.get(pending);
      expect(authorization.userId).toBe('person-hugo');
    });
  });

  // S59
  it.each([
    ['`prompt=login`', { prompt: 'login' }],
    ['a `max_age` that has passed', { max_age: '59' }],
  ])('requires a new sign-in for %s, and `auth_time` is its time', async (_what, more) => {
    await withVisit(async ({ page }) => {
      await signIn(page, journey.origin, 'grace');
      journey.started.clock.moveTo(STARTED_AT + MINUTE_MS);
      const recent = await journey.requestConsent(page, 'openid', { max_age: '60' });
      await press(page, 'Share');
      expect(authTimeOf((await journey.redeem(recent)).id_token)).toBe(STARTED_AT / 1_000);
      const pending = await journey.requestConsent(page, 'openid', more);
      await page.getByRole('combobox', { name: 'You are' }).selectOption('grace');
      await press(page, 'Share');
      expect(authTimeOf((await journey.redeem(pending)).id_token)).toBe((STARTED_AT + MINUTE_MS) / 1_000);
      journey.started.clock.moveTo(STARTED_AT);
    });
  });

  // S67
  it('can be completed with the keyboard only, with a visible focus', async () => {
    await withVisit(async ({ page }) => {
      const pending = await journey.requestConsent(page, 'openid identity:date_of_birth kyc:read');
      const tabTo = async (name: string) => {
        for (let presses = 0; presses < 40; presses += 1) {
          await page.keyboard.press('Tab');
          const focused = page.locator(':focus');
          const label = await focused.evaluate((element) => {
            const { labels, textContent } = element as unknown as {
              readonly labels?: readonly { readonly textContent: string }[];
              readonly textContent: string;
            };
            return (labels?.[0]?.textContent ?? textContent).replace(/\s+/g, ' ').trim();
          });
          if (!label.startsWith(name)) continue;
          const outline = await focused.evaluate((element) => {
            const { getComputedStyle } = globalThis as unknown as {
              getComputedStyle(element: unknown): { readonly outlineWidth: string };
            };
            return getComputedStyle(element).outlineWidth;
          });
          expect(outline).toBe('3px');
          return;
        }
        throw new Error(`no way to ${name} by keyboard`);
      };
      await tabTo('Skip to the content');
      await tabTo('You are');
      await page.keyboard.type('fat');
      await tabTo('Verify my palm');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await tabTo('Your identity checks');
      await page.keyboard.press('Space');
      await tabTo('Show all 12 items');
      await page.keyboard.press('Enter');
      await tabTo('Share');
      await Promise.all([page.waitForURL(/callback/), page.keyboard.press('Enter')]);
      expect((await journey.redeem(pending)).scope).toBe('openid identity:date_of_birth');
      const { authorization } = await journey.started.service.authorizations.get(pending.authorizationId);
      expect(authorization.userId).toBe('person-fatima');
    });
  });

  // S67
  it.each([
    [
      'the name of an unknown person',
      SCOPE,
      { login_hint: 'unregistered-person-with-a-long-name@mail.example.org' },
    ],
    ['the notice of a palm verification', 'openid identity:legal_name', {}],
  ])(
    'does not cover the focused control with the decision bar on a small phone, with %s',
    async (_what, scope, more) => {
      await withVisit(
        async ({ page }) => {
          await journey.requestConsent(page, scope, more);
          const controls = await listControls(page);
          const covered: unknown[] = [];
          for (const _control of controls) {
            await page.keyboard.press('Tab');
            covered.push(
              await page.evaluate(`(() => {
              const focused = document.activeElement;
              const decision = document.querySelector('.decision');
              if (focused === document.body) return 'nothing has the focus';
              if (decision.contains(focused)) return false;
              const { top, bottom } = decision.getBoundingClientRect();
              const box = focused.getBoundingClientRect();
              return box.top < bottom && box.bottom > top && focused.outerHTML;
            })()`),
            );
          }
          expect(controls).not.toEqual([]);
          expect(covered).toEqual(controls.map(() => false));
        },
        { viewport: SMALL_PHONE, locale: 'de-DE' },
      );
    },
  );

  // S67
  it('works without script', async () => {
    await withVisit(
      async ({ page }) => {
        const pending = await journey.requestConsent(page, 'openid identity:legal_name kyc:read');
        await page.getByRole('combobox', { name: 'You are' }).selectOption('ada');
        await press(page, 'Verify my palm');
        await page.getByRole('checkbox', { name: 'Your identity checks' }).uncheck();
        await press(page, 'Share');
        expect((await journey.redeem(pending)).scope).toBe('openid identity:legal_name');
        await page.goto(`${journey.origin}/grants`);
        await press(page, /^Stop sharing/);
        await press(page, /^Undo/);
        expect(await page.getByRole('button', { name: /^Stop sharing/ }).count()).toBe(1);
      },
      { javaScriptEnabled: false },
    );
  });

  it('submits once on a double click', async () => {
    await withVisit(async ({ page }) => {
      await journey.requestConsent(page, SCOPE);
      const before = journey.client.callbacks.length;
      let posts = 0;
      page.on('request', (request) => {
        if (request.method() === 'POST') posts += 1;
      });
      await Promise.all([
        page.waitForURL(/callback/),
        page.getByRole('button', { name: 'Share', exact: true }).dblclick(),
      ]);
      expect([posts, journey.client.callbacks.length]).toEqual([1, before + 1]);
    });
  });

  it('submits again after a navigation that was stopped', async () => {
    await withVisit(async ({ page }) => {
      await page.clock.install();
      await journey.requestConsent(page, SCOPE);
      await page.route('**/consent*', async (route) => await route.abort('aborted'), { times: 1 });
      const share = page.getByRole('button', { name: 'Share', exact: true });
      const stopped = page.waitForEvent('requestfailed');
      await share.click({ noWaitAfter: true });
      await stopped;
      await page.clock.fastForward(10_000);
      await Promise.all([page.waitForURL(/callback/), share.click()]);
    });
  });

  describe('causes no layout shift while loading or in use', () => {
    it.each([
      ['a desktop', undefined],
      ['a phone', PHONE],
    ])('on %s', async (_what, viewport) => {
      await withVisit(
        async ({ page }) => {
          await page.addInitScript(() => {
            const global = globalThis as unknown as {
              shifts: number;
              PerformanceObserver: new (
                callback: (list: { getEntries(): readonly { readonly value: number }[] }) => void,
              ) => { observe(what: unknown): void };
            };
            global.shifts = 0;
            new global.PerformanceObserver((list) => {
              for (const { value } of list.getEntries()) global.shifts += value;
            }).observe({ type: 'layout-shift', buffered: true });
          });
          await journey.requestConsent(page, SCOPE);
          await page.getByRole('checkbox', { name: 'Your identity checks' }).uncheck();
          await page.waitForLoadState('load');
          expect(await page.evaluate('globalThis.shifts')).toBe(0);
        },
        viewport === undefined ? {} : { viewport },
      );
    });
  });
});

function authTimeOf(idToken: string | undefined): unknown {
  const [, payload = ''] = (idToken ?? '').split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { auth_time?: unknown }).auth_time;
}
