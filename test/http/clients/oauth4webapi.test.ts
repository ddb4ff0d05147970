/** oauth4webapi as in its OpenID Connect example, with no options except those for plain HTTP and a required ID token (S285). */
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideByForm } from '../../support/decide-by-form.js';
import {
  addApplication,
  addPublicApplication,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

const REDIRECT_URI = 'https://bank.example/callback';
/** The service of the tests uses plain HTTP, which the library rejects without this option. */
const OVER_HTTP = { [oauth.allowInsecureRequests]: true };

let started: StartedService;

beforeAll(async () => {
  started = await startServiceForLibraries();
});

afterAll(() => started.stop());

/** Signs in, reads user information, refreshes and revokes. @param isPushed - Whether the request is pushed first. */
async function completeFlow(client: oauth.Client, auth: oauth.ClientAuth, isPushed = false): Promise<void> {
  const issuer = new URL(started.url);
  const discovered = await oauth.discoveryRequest(issuer, OVER_HTTP);
  const as = await oauth.processDiscoveryResponse(issuer, discovered);
  expect(as.code_challenge_methods_supported).toContain('S256');
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const redirectTo = new URL(as.authorization_endpoint ?? '');
  redirectTo.searchParams.set('client_id', client.client_id);
  redirectTo.searchParams.set('redirect_uri', REDIRECT_URI);
  redirectTo.searchParams.set('response_type', 'code');
  redirectTo.searchParams.set('scope', 'openid email');
  redirectTo.searchParams.set('code_challenge', await oauth.calculatePKCECodeChallenge(codeVerifier));
  redirectTo.searchParams.set('code_challenge_method', 'S256');
  if (isPushed) {
    const parameters = redirectTo.searchParams;
    const pushResponse = await oauth.pushedAuthorizationRequest(as, client, auth, parameters, OVER_HTTP);
    const pushed = await oauth.processPushedAuthorizationResponse(as, client, pushResponse);
    redirectTo.search = '';
    redirectTo.searchParams.set('client_id', client.client_id);
    redirectTo.searchParams.set('request_uri', pushed.request_uri);
  }
  const parameters = oauth.validateAuthResponse(as, client, await decideByForm(redirectTo));
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      parameters,
      REDIRECT_URI,
      codeVerifier,
      OVER_HTTP,
    ),
    { requireIdToken: true },
  );
  const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
  const userInfoResponse = await oauth.userInfoRequest(as, client, tokens.access_token, OVER_HTTP);
  expect(await oauth.processUserInfoResponse(as, client, subject, userInfoResponse)).toMatchObject({
    sub: subject,
  });
  const refreshToken = tokens.refresh_token ?? '';
  const refreshResponse = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, OVER_HTTP);
  const refreshed = await oauth.processRefreshTokenResponse(as, client, refreshResponse);
  const next = refreshed.refresh_token ?? '';
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, next, OVER_HTTP));
  const afterRevocation = await oauth.refreshTokenGrantRequest(as, client, auth, next, OVER_HTTP);
  await expect(oauth.processRefreshTokenResponse(as, client, afterRevocation)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
}

it('oauth4webapi completes the flow of a confidential client with default settings', async () => {
  const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI);
  await completeFlow({ client_id: clientId }, oauth.ClientSecretPost(clientSecret));
});

it('oauth4webapi completes the flow of a public client with default settings', async () => {
  const { clientId } = await addPublicApplication(started, REDIRECT_URI);
  await completeFlow({ client_id: clientId }, oauth.None());
});

// S260
it.each([
  ['its secret in the header', oauth.ClientSecretBasic],
  ['its secret in the body', oauth.ClientSecretPost],
])(
  'oauth4webapi completes the flow of a client that pushes its request with %s',
  async (_how, authenticate) => {
    const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI);
    await completeFlow({ client_id: clientId }, authenticate(clientSecret), true);
  },
);

// S260
it('oauth4webapi completes the flow of a public client that pushes its request', async () => {
  const { clientId } = await addPublicApplication(started, REDIRECT_URI);
  await completeFlow({ client_id: clientId }, oauth.None(), true);
});
