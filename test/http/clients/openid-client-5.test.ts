/** openid-client 5 with its default settings, as its README shows them (S285). */
import { type Client, generators, Issuer } from 'openid-client-5';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideByForm } from '../../support/decide-by-form.js';
import {
  addApplication,
  addPublicApplication,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

const REDIRECT_URI = 'https://bank.example/callback';

let started: StartedService;

beforeAll(async () => {
  started = await startServiceForLibraries();
});

afterAll(() => started.stop());

/** Signs in, reads user information, refreshes and revokes. */
async function completeFlow(client: Client): Promise<void> {
  const codeVerifier = generators.codeVerifier();
  const redirectTo = client.authorizationUrl({
    scope: 'openid email profile',
    code_challenge: generators.codeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  const callback = await decideByForm(redirectTo);
  const parameters = client.callbackParams(callback.href);
  const tokens = await client.callback(REDIRECT_URI, parameters, { code_verifier: codeVerifier });
  const info = await client.userinfo(tokens);
  expect(info.sub).toBe(tokens.claims().sub);
  const refreshed = await client.refresh(tokens);
  expect(refreshed.claims().sub).toBe(info.sub);
  await client.revoke(refreshed.refresh_token ?? '');
  await expect(client.refresh(refreshed)).rejects.toMatchObject({ error: 'invalid_grant' });
}

it('openid-client 5 completes the flow of a confidential client with its default settings', async () => {
  const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI);
  const issuer = await Issuer.discover(started.url);
  await completeFlow(
    new issuer.Client({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
    }),
  );
});

it('openid-client 5 completes the flow of a public client with its default settings', async () => {
  const { clientId } = await addPublicApplication(started, REDIRECT_URI);
  const issuer = await Issuer.discover(started.url);
  await completeFlow(
    new issuer.Client({
      client_id: clientId,
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  );
});
