/** openid-client 6 with its default settings, as its README shows them (S285). */
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addApplication,
  addPublicApplication,
  startServiceForLibraries,
} from '../../support/added-application.js';
import { decideByForm } from '../../support/decide-by-form.js';
import type { StartedService } from '../../support/start-service.js';

const REDIRECT_URI = 'https://bank.example/callback';
/** The service of the tests is plain HTTP on a loopback address; the library requires TLS otherwise. */
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

it('openid-client 6 completes the flow of a confidential client that pushes its request (S260)', async () => {
  const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI);
  const server = new URL(started.url);
  await completeFlow(await client.discovery(server, clientId, clientSecret, undefined, OVER_HTTP), true);
});

it('openid-client 6 completes the flow of a public client that pushes its request (S260)', async () => {
  const { clientId } = await addPublicApplication(started, REDIRECT_URI);
  const server = new URL(started.url);
  await completeFlow(await client.discovery(server, clientId, undefined, client.None(), OVER_HTTP), true);
});
