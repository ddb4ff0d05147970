/** The language of the pages: by `ui_locales`, then by `Accept-Language` (S380). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begin, logIn, postJson } from '../support/oauth-client.js';
import { pushRequest } from '../support/pushed-requests.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let origin: string;

beforeAll(async () => {
  started = await startService();
  origin = new URL(started.url).origin;
});

afterAll(() => started.stop());

async function readPage(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(new URL(path, origin), { headers: { Accept: 'text/html', ...headers } });
  const text = await response.text();
  const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)">/.exec(text) ?? [];
  return { text, lang, dir };
}

/** Opens the consent page of a request. */
async function readConsent(changes: Readonly<Record<string, string>>, headers = {}) {
  const pending = await begin(started, changes);
  return await readPage(`/consent?authorization_id=${pending.authorizationId}`, {
    Cookie: pending.cookie,
    ...headers,
  });
}

// S380
describe('the language of a page', () => {
  it.each([
    ['the landing page', '/', 'Willkommen'],
    ['the sign-in page', '/sign-in', 'Wer sind Sie?'],
    ['an unknown request', '/consent', 'Anfrage nicht gefunden'],
    ['a rejected request', '/v2/oauth/authorize', 'Unbekannte App'],
    ['a completed sign-out', '/v2/oauth/logout', 'Sie sind abgemeldet'],
  ])('is that of `Accept-Language`, or of `ui_locales` in its address: %s', async (_what, path, heading) => {
    const german = await readPage(path, { 'Accept-Language': 'de-AT,de;q=0.9' });
    expect(german).toMatchObject({ lang: 'de-AT', dir: 'ltr' });
    expect(german.text).toContain(`<h1>${heading === 'Willkommen' ? 'Proviso' : heading}</h1>`);
    expect(german.text).toContain(heading);
    const arabic = await readPage(`${path}?ui_locales=xx+ar`, { 'Accept-Language': 'de' });
    expect(arabic).toMatchObject({ lang: 'ar', dir: 'rtl' });
  });

  it('is kept for the consent page, also of a pushed request; `locale` is accepted as well', async () => {
    const german = { 'Accept-Language': 'de' };
    expect(await readConsent({ ui_locales: 'fr-CA en' }, german)).toMatchObject({ lang: 'fr-CA' });
    expect(await readConsent({ locale: 'es' }, german)).toMatchObject({ lang: 'es' });
    expect(await readConsent({ ui_locales: 'pt', locale: 'es' })).toMatchObject({ lang: 'pt' });
    const { body } = await pushRequest(started, { ui_locales: 'ar' });
    const { request_uri: requestUri } = body as { readonly request_uri: string };
    const pushed = await readConsent({ request_uri: requestUri }, german);
    expect(pushed).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect(pushed.text).toContain('تسجيل دخولك');
  });

  it('is kept by the links, forms and redirects of a page whose address has `ui_locales`', async () => {
    const cookies = await signIn('ines');
    const { text } = await readPage('/grants?ui_locales=de-CH', { Cookie: cookies });
    expect(text).toContain('method="post" action="/grants?ui_locales=de-CH"');
    expect(text).toContain('href="/my-data?ui_locales=de-CH"');
    const [, proof = ''] = /name="proof" value="([^"]+)"/.exec(text) ?? [];
    const ended = await fetch(new URL('/grants?ui_locales=de-CH', origin), {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookies, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ proof, action: 'end', client_id: 'sandbox-public' }),
    });
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/grants?ui_locales=de-CH']);
    const byBrowser = await readPage('/grants', { Cookie: cookies, 'Accept-Language': 'de' });
    expect(byBrowser.text).toContain('method="post" action="/grants"');
  });

  it('is kept by the link of the landing page to the grants, and of a denied request to the application', async () => {
    const landing = await readPage('/?ui_locales=de-CH');
    expect(landing.text).toContain('class="choice" href="/grants?ui_locales=de-CH"');
    const { authorizationId, cookie } = await begin(started, { response_mode: 'form_post' });
    await postJson(started, '/oauth/authorize/deny', { authorization_id: authorizationId });
    const denied = await readPage(`/consent?authorization_id=${authorizationId}&ui_locales=de-CH`, {
      Cookie: cookie,
    });
    const [, link = ''] = /href="(\/v2\/oauth\/authorize\/result[^"]*)"/.exec(denied.text) ?? [];
    const response = await readPage(link.replaceAll('&amp;', '&'), { Cookie: cookie });
    expect(response).toMatchObject({ lang: 'de-CH' });
  });

  it.each(['x'.repeat(2_000), '"><script>', 'de"><i>', '\u202e', 'a-b-c-d-e-f-g-h', ' '])(
    'is the default for %j, which is not a language tag, and the request is not rejected',
    async (tag) => {
      const { text, lang } = await readConsent({ ui_locales: tag });
      expect(lang).toBe('en-GB');
      expect(text).not.toContain('<script>');
    },
  );

  it('determines the texts of scopes, claims, conditions and dates', async () => {
    await logIn(started, { login_hint: 'ines', scope: 'openid identity:read' });
    const jar = await signIn('ines');
    const page = async (language: string) =>
      (await readPage('/grants', { Cookie: jar, 'Accept-Language': language })).text;
    expect(await page('de')).toContain('>1. Juni 2026</time>');
    expect(await page('en-US')).toContain('>June 1, 2026</time>');
    expect(await page('ar-SA')).toMatch(/>١ يونيو ٢٠٢٦[^<]*<\/time>/);
    const condition = {
      type: 'claims_condition',
      query: { check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] } },
      purpose: 'Prices.',
    };
    const { text } = await readConsent({
      authorization_details: JSON.stringify([condition]),
      ui_locales: 'fr',
    });
    for (const shown of [
      'Si votre pays de résidence est Portugal ou Espagne.',
      'Qui vous êtes',
      '<li>Votre nationalité</li>',
      '15 minutes',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/Share|Sensitive|Everyday|Purpose/);
  });
});

/** Signs in and returns the cookies. */
async function signIn(person: string): Promise<string> {
  const page = await fetch(`${origin}/sign-in`);
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const [, proof = ''] = /name="proof" value="([^"]+)"/.exec(await page.text()) ?? [];
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookies.join('; '), Origin: origin },
    body: new URLSearchParams({ proof, person }),
  });
  return [...cookies, ...response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])].join('; ');
}
