/** openid-client 6 with its default settings, as its README shows them (S285). */
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideByForm } from '../../support/decide-by-form.js';
import { formOf } from '../../support/external-login.js';
import {
  addApplication,
  addPublicApplication,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

const POST_LOGOUT_REDIRECT_URI = 'https://bank.example/signed-out';
const REDIRECT_URI = 'https://bank.example/callback';
/** The service of the tests uses plain HTTP, which the library rejects without this option. */
const OVER_HTTP = { execute: [client.allowInsecureRequests] };

let started: StartedService;

beforeAll(async () => {
  started = await startServiceForLibraries();
});

afterAll(() => started.stop());

/** Signs in, reads user information, refreshes and revokes. @param isPushed - Whether the request is pushed first. */
async function completeFlow(config: client.Configuration, isPushed = false): Promise<void> {
  const codeVerifier = client.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  };
  const redirectTo = isPushed
    ? await client.buildAuthorizationUrlWithPAR(config, parameters)
    : client.buildAuthorizationUrl(config, parameters);
  const tokens = await client.authorizationCodeGrant(config, await decideByForm(redirectTo), {
    pkceCodeVerifier: codeVerifier,
  });
  const subject = tokens.claims()?.sub ?? '';
  const info = await client.fetchUserInfo(config, tokens.access_token, subject);
  expect(info).toMatchObject({ sub: subject, email: 'ada@example.org', name: 'Ada Ferreira Lopes' });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.claims()?.sub).toBe(subject);
  await client.tokenRevocation(config, refreshed.refresh_token ?? '');
  await expect(client.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
}

/** Signs a person in with a new browser session and returns a function that requests pages in it. */
async function signIn(person: string): Promise<(path: string) => Promise<Response>> {
  const page = new URL('/sign-in', started.url);
  const form = await fetch(page);
  const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const browser = cookiesOf(form);
  const signedIn = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: browser.join('; '), Origin: page.origin },
    body: new URLSearchParams({ ...formOf(await form.text()), person }),
  });
  const headers = { Cookie: [...browser, ...cookiesOf(signedIn)].join('; ') };
  return (path) => fetch(new URL(path, page), { redirect: 'manual', headers });
}

it('openid-client 6 completes the flow of a confidential client with its default settings', async () => {
  const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI);
  const server = new URL(started.url);
  await completeFlow(await client.discovery(server, clientId, clientSecret, undefined, OVER_HTTP));
});

it('openid-client 6 completes the flow of a public client with its default settings', async () => {
  const { clientId } = await addPublicApplication(started, REDIRECT_URI);
  const server = new URL(started.url);
  await completeFlow(await client.discovery(server, clientId, undefined, client.None(), OVER_HTTP));
});

// S287, S292
it('openid-client 6 sends authorization details and returns them as granted', async () => {
  const details = [
    {
      type: 'claims_condition',
      query: { check: { claim: 'identity.age', operator: '>=', value: 18 } },
      purpose: 'To sell you a ticket.',
    },
    {
      type: 'claims_condition',
      query: { check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] } },
      purpose: 'To offer you the price for residents.',
    },
  ];
  const redirectUri = 'http://127.0.0.1/callback';
  const server = new URL(started.url);
  const config = await client.discovery(server, 'sandbox-conditions', undefined, client.None(), OVER_HTTP);
  expect(config.serverMetadata()['authorization_details_types_supported']).toEqual(['claims_condition']);
  const codeVerifier = client.randomPKCECodeVerifier();
  const redirectTo = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: redirectUri,
    authorization_details: JSON.stringify(details),
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  const tokens = await client.authorizationCodeGrant(config, await decideByForm(redirectTo), {
    pkceCodeVerifier: codeVerifier,
  });
  expect([tokens.authorization_details, tokens.scope]).toEqual([details, undefined]);
  const narrowed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', {
    authorization_details: JSON.stringify(details.slice(1)),
  });
  expect(narrowed.authorization_details).toEqual(details.slice(1));
});

// S260
it('openid-client 6 completes the flow of a confidential client that pushes its request', async () => {
  const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI);
  const server = new URL(started.url);
  await completeFlow(await client.discovery(server, clientId, clientSecret, undefined, OVER_HTTP), true);
});

// S260
it('openid-client 6 completes the flow of a public client that pushes its request', async () => {
  const { clientId } = await addPublicApplication(started, REDIRECT_URI);
  const server = new URL(started.url);
  await completeFlow(await client.discovery(server, clientId, undefined, client.None(), OVER_HTTP), true);
});

// S250
it('openid-client 6 signs a person out by `buildEndSessionUrl`, with the ID token of the flow', async () => {
  const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI, {
    postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI],
  });
  const config = await client.discovery(new URL(started.url), clientId, clientSecret, undefined, OVER_HTTP);
  const codeVerifier = client.randomPKCECodeVerifier();
  const redirectTo = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  const visit = await signIn('ada');
  const tokens = await client.authorizationCodeGrant(config, await decideByForm(redirectTo), {
    pkceCodeVerifier: codeVerifier,
  });
  expect((await visit('/grants')).status).toBe(200);
  const signOutAt = client.buildEndSessionUrl(config, {
    post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    id_token_hint: tokens.id_token ?? '',
    state: 'after & sign-out',
  });
  const { status, headers } = await visit(signOutAt.href);
  expect([status, headers.get('location')]).toEqual([
    303,
    `${POST_LOGOUT_REDIRECT_URI}?state=after%20%26%20sign-out`,
  ]);
  expect((await visit('/grants')).headers.get('location')).toBe('/sign-in');
});
