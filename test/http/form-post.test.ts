/** `response_mode=form_post`: the response is delivered to the client by a form (OAuth 2.0 Form Post Response Mode, S51, S56, S63). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideByForm } from '../support/decide-by-form.js';
import {
  authorizationQuery,
  createPkce,
  PUBLIC,
  postJson,
  redemption,
  type Tokens,
} from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const HOSTILE_STATE = '"><script>alert(1)</script>&amp;';
const UNESCAPED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

const { verifier, challenge } = createPkce();

function authorizationUrl(changes: Readonly<Record<string, string>> = {}): string {
  const query = authorizationQuery({
    scope: 'openid kyc:read',
    response_mode: 'form_post',
    state: HOSTILE_STATE,
    code_challenge: challenge,
    ...changes,
  });
  return `${started.url}/oauth/authorize?${query}`;
}

/** Returns the action and the fields of the form on a page that posts the response. */
function formOf(text: string) {
  const plain = (value: string) => value.replace(/&(#?\w+);/g, (all, name: string) => UNESCAPED[name] ?? all);
  const [, action = ''] = /<form [^>]*method="post" action="([^"]*)" data-submit>/.exec(text) ?? [];
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']): [string, string] => [name, plain(value)],
  );
  return { action: plain(action), fields: Object.fromEntries(fields) };
}

/** Decides on the consent page and reads the page with the response form. */
async function decide(action: 'approve' | 'deny', url = authorizationUrl()) {
  const page = await decideByForm(url, { action, isFormPost: true });
  return { page, ...formOf(await page.text()) };
}

describe('an authorization request with response_mode=form_post', () => {
  it('receives a form that posts code, state and issuer to the redirect URI', async () => {
    const { page, action, fields } = await decide('approve');
    expect([page.status, action]).toEqual([200, PUBLIC.redirectUri]);
    expect(fields).toEqual({ code: expect.any(String), state: HOSTILE_STATE, iss: started.url });
    const pending = { authorizationId: '', verifier, cookie: '', ...PUBLIC };
    const exchanged = await postJson(started, '/oauth/token', redemption(pending, fields['code'] ?? ''));
    expect(exchanged.status).toBe(200);
    expect((await exchanged.json()) as Tokens).toMatchObject({ scope: 'openid kyc:read' });
  });

  it("receives a page that is not cached, can post to the service and to the redirect URI's origin only, and runs no inline script", async () => {
    const { page } = await decide('approve');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(policy).toContain(`form-action 'self' ${new URL(PUBLIC.redirectUri).origin};`);
    expect(policy).toContain("script-src 'self';");
    expect(page.headers.get('location')).toBeNull();
  });

  it('receives a form with `access_denied` after a denial', async () => {
    const { action, fields } = await decide('deny');
    const denied = {
      error: 'access_denied',
      error_description: 'The person denied the request.',
      state: HOSTILE_STATE,
      iss: started.url,
    };
    expect([action, fields]).toEqual([PUBLIC.redirectUri, denied]);
  });

  it('receives a form with an error of the authorization endpoint', async () => {
    const response = await fetch(authorizationUrl({ code_challenge_method: 'plain' }), {
      redirect: 'manual',
    });
    expect(response.status).toBe(200);
    const { action, fields } = formOf(await response.text());
    expect([action, fields]).toEqual([
      PUBLIC.redirectUri,
      {
        error: 'invalid_request',
        error_description: 'code_challenge_method must be S256',
        state: HOSTILE_STATE,
        iss: started.url,
      },
    ]);
  });

  it('receives no form if its redirect URI is not registered', async () => {
    const url = authorizationUrl({ redirect_uri: 'https://elsewhere.example/cb' });
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('data-submit');
  });
});

it('an authorization request with response_mode=query receives a redirect', async () => {
  const callback = await decideByForm(authorizationUrl({ response_mode: 'query' }));
  expect(callback.searchParams.get('state')).toBe(HOSTILE_STATE);
  expect(callback.searchParams.get('code')).toEqual(expect.any(String));
});

it('discovery announces the response modes query and form_post', async () => {
  const metadata = await (await fetch(`${started.url}/.well-known/openid-configuration`)).json();
  expect(metadata).toMatchObject({ response_modes_supported: ['query', 'form_post'] });
});
