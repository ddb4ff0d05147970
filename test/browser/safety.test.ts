/** Safety of the pages in a browser: injected markup, other sites, and scripts (S63–S65). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCatalogue } from '../../src/service/index.js';
import { describeInBrowser, PHONE, type Visit } from '../support/browser.js';
import { startClientServer } from '../support/client-server.js';
import { type Journey, press, signIn, startJourney } from '../support/consent-journey.js';

const RTL_OVERRIDE = '\u202e';

/** Hostile strings for names. */
const HOSTILE = [
  '<img src=x onerror="globalThis.hacked=1">',
  '</script><script>globalThis.hacked=1</script>',
  '"><svg onload="globalThis.hacked=1">',
  "' onmouseover='globalThis.hacked=1' x='",
  '</title><style>*{display:none}</style>',
  '<!-- <base href="https://evil.example/">',
  '&lt;b&gt;&amp;#60;i&#62;',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<form action="https://evil.example"><button>Share</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  'javascript:globalThis.hacked=1',
  '{{constructor.constructor("globalThis.hacked=1")()}}',
  `evil.example${RTL_OVERRIDE}knaB ruoY`,
  `A${'\u0301'.repeat(40)} ﷽ 🏴‍☠️`,
  'W'.repeat(10_000),
];

/** Several hostile strings in one. */
const COMBINED = HOSTILE.slice(0, 12).join(' ');

const CATALOGUE = parseCatalogue({
  extends: 'default',
  scopes: HOSTILE.map((text, index) => ({
    name: `hostile:${index}`,
    category: 'hostile',
    sensitivity: 'low',
    display_name: text,
    description: text,
    example: text,
  })),
  claims: HOSTILE.flatMap((text, index) =>
    ['one', 'two'].map((name) => ({
      path: `hostile.${name}${index}`,
      type: 'string',
      scope: `hostile:${index}`,
      sensitivity: 'low',
      display_name: text,
      description: text,
    })),
  ),
});

describeInBrowser('the pages', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ options: { catalogue: CATALOGUE } });
  });

  afterAll(() => journey?.stop());

  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const isHacked = ({ page }: Visit) => page.evaluate('globalThis.hacked');
  const overflow = ({ page }: Visit) =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  // S63
  describe('do not interpret hostile strings as markup', () => {
    it('in scopes, their examples and claims', async () => {
      const visit = await journey.openVisit({ viewport: PHONE });
      const { page, foreignRequests, problems } = visit;
      const scope = HOSTILE.map((_text, index) => `hostile:${index}`).join(' ');
      await journey.requestConsent(page, `openid ${scope}`, { login_hint: upToBytes(COMBINED, 256) });
      const names = await page.locator('.scope-name').allTextContents();
      expect(names.slice(1)).toEqual(HOSTILE);
      expect(await page.locator('.example bdi').allTextContents()).toEqual(expect.arrayContaining(HOSTILE));
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await page.locator('details li').first().textContent()).toContain(HOSTILE[0]);
      expect([await isHacked(visit), await overflow(visit), foreignRequests, problems]).toEqual([
        undefined,
        0,
        [],
        [],
      ]);
      // The hint names a person who does not exist, so nobody is preselected.
      await page.getByRole('combobox', { name: 'You are' }).selectOption('ada');
      await press(page, 'Share');
      await page.goto(`${journey.origin}/grants`);
      expect(await page.locator('.shared-scopes li > span:first-child').allTextContents()).toEqual(
        expect.arrayContaining(HOSTILE),
      );
      expect([await isHacked(visit), await overflow(visit), foreignRequests, problems]).toEqual([
        undefined,
        0,
        [],
        [],
      ]);
      await visit.close();
    });

    it.each(HOSTILE.map((text) => [text.slice(0, 60), text]))(
      'in the names of the application and the person: %s',
      async (_shown, text) => {
        const { runSql } = journey.started;
        const person = text.slice(0, 200);
        await runSql(
          `UPDATE application SET name = ${quoted(text)}, organization_id = ${quoted(text)}, purpose = ${quoted(text)} WHERE client_id = 'sandbox-public'`,
        );
        await runSql(
          `UPDATE person SET name = ${quoted(person)}, about = ${quoted(text)} WHERE id = 'person-jun'`,
        );
        const visit = await journey.openVisit({ viewport: PHONE });
        const { page, foreignRequests, problems } = visit;
        await page.goto(`${journey.origin}/sign-in`);
        const names = await page
          .locator('button.choice')
          .evaluateAll((buttons) => buttons.map((button) => (button as { value?: string }).value));
        const choice = page.locator('button.choice').nth(names.indexOf(person));
        await Promise.all([page.waitForURL(/grants/), choice.click()]);
        const expectHarmless = async () =>
          expect([await isHacked(visit), await overflow(visit), foreignRequests, problems]).toEqual([
            undefined,
            0,
            [],
            [],
          ]);
        await expectHarmless();
        await journey.requestConsent(page, 'openid identity:legal_name');
        expect(await page.locator('h1 bdi').textContent()).toBe(text);
        expect(await page.locator('.who bdi').textContent()).toBe(text);
        await expectHarmless();
        await press(page, 'Verify my palm');
        expect(await page.locator('.who-shares bdi').textContent()).toBe(person);
        await expectHarmless();
        await press(page, 'Share');
        await page.goBack();
        await expectHarmless();
        await visit.close();
      },
    );

    it('in URLs, on error pages', async () => {
      const visit = await journey.openVisit();
      for (const text of HOSTILE.slice(0, 14)) {
        const value = encodeURIComponent(text);
        for (const path of [
          `/v2/oauth/authorize?client_id=${value}`,
          `/consent?authorization_id=${value}`,
          `/sign-in?authorization_id=${value}`,
        ]) {
          await visit.page.goto(`${journey.origin}${path}`);
          expect([path, await isHacked(visit), visit.foreignRequests, visit.problems]).toEqual([
            path,
            undefined,
            [],
            [],
          ]);
        }
      }
      await visit.close();
    });
  });

  // S64
  it('enforce Trusted Types, and run no inline script', async () => {
    const { page, close } = await journey.openVisit();
    await journey.requestConsent(page, 'openid kyc:read');
    const outcomes = await page.evaluate(`(() => {
      const tries = {
        markup: () => { document.body.innerHTML = '<b>x</b>'; },
        policy: () => { trustedTypes.createPolicy('default', { createHTML: (text) => text }); },
        address: () => { document.createElement('script').src = 'https://evil.example/x.js'; },
      };
      return Object.fromEntries(Object.entries(tries).map(([name, attempt]) => {
        try { attempt(); return [name, 'allowed']; } catch (error) { return [name, error.name]; }
      }));
    })()`);
    expect(outcomes).toEqual({
      markup: 'TypeError',
      policy: 'TypeError',
      address: 'TypeError',
    });
    await page.evaluate(`(() => {
      const button = document.createElement('button');
      button.id = 'inline';
      button.setAttribute('style', 'color: red');
      document.body.append(button);
      // Trusted Types block inline handlers in markup; this tries an attribute.
      try { button.setAttribute('onclick', 'globalThis.hacked = 1'); } catch {}
      button.click();
    })()`);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await close();
  });

  // S64
  it('have a content security policy without `unsafe`, and send no referrer', async () => {
    const { page, close } = await journey.openVisit();
    const responses: (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [];
    page.on('response', (response) => {
      const headers = response.headers();
      if (!headers['content-type']?.startsWith('text/html') || !response.url().startsWith(journey.origin))
        return;
      responses.push([new URL(response.url()).pathname, headers]);
    });
    await signIn(page, journey.origin, 'ada');
    await journey.requestConsent(page, 'openid identity:legal_name');
    await press(page, 'Verify my palm');
    await press(page, 'Share');
    await page.goto(`${journey.origin}/consent`);
    await page.goto(`${journey.origin}/v2/oauth/authorize`);
    for (const [, headers] of responses) {
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).not.toContain('unsafe');
      for (const rule of [
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
        expect(policy.split('; ')).toContain(rule);
      // Logos are part of the page.
      expect(policy).toMatch(/(?:^|; )img-src 'self'(?: data:)?;/);
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
    expect(new Set(responses.map(([path]) => path))).toEqual(
      new Set(['/sign-in', '/grants', '/consent', '/v2/oauth/authorize']),
    );
    await close();
  });

  // S64
  it('cannot be framed', async () => {
    const { page, close } = await journey.openVisit();
    await signIn(page, journey.origin, 'ada');
    await journey.requestConsent(page, 'openid kyc:read');
    const framingSite = await startClientServer(
      `<!doctype html><title>x</title><iframe src="${page.url()}"></iframe><iframe src="${journey.origin}/grants"></iframe>`,
    );
    await page.goto(framingSite.origin);
    await page.waitForLoadState('load');
    const frames = page.frames().slice(1);
    expect(frames).toHaveLength(2);
    for (const frame of frames) expect(await frame.locator('button').count()).toBe(0);
    await close();
    await framingSite.stop();
  });

  // S65
  it('reject forms of other pages, although the browser sends all cookies', async () => {
    const { page, close } = await journey.openVisit();
    await signIn(page, journey.origin, 'ada');
    const { authorizationId } = await journey.requestConsent(page, 'openid kyc:read');
    // The worst case: a page on another port of the same host, which is same-site and knows the CSRF token.
    const proof = await page.locator('input[name=proof]').inputValue();
    const forgingSite = await startClientServer(`<!doctype html><title>x</title>
      <form method="post" action="${journey.origin}/consent">
      <input name="authorization_id" value="${authorizationId}"><input name="proof" value="${proof}">
      <input name="scope.openid" value="on"><button name="action" value="approve">consent</button></form>
      <form method="post" action="${journey.origin}/grants">
      <input name="proof" value="${proof}"><input name="client_id" value="sandbox-public"><button name="action" value="end">grants</button></form>
      <form method="post" action="${journey.origin}/sign-in">
      <input name="proof" value="${proof}"><button name="person" value="hugo">sign-in</button></form>`);
    for (const name of ['consent', 'grants', 'sign-in']) {
      await page.goto(forgingSite.origin);
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'POST'),
        page.getByRole('button', { name }).click(),
      ]);
      expect([name, response.status()]).toEqual([name, 403]);
    }
    const { authorization } = await journey.started.service.authorizations.get(authorizationId);
    expect(authorization.status).toBe('pending_admin');
    await close();
    await forgingSite.stop();
  });
});

/** Cuts a string to a number of bytes, between two characters. */
function upToBytes(text: string, bytes: number): string {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > bytes) break;
    cut += character;
  }
  return cut;
}
