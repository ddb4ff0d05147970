/** simple-oauth2, which adds no PKCE itself and passes its parameters on (S285, S286). */
import { AuthorizationCode } from 'simple-oauth2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideByForm } from '../../support/decide-by-form.js';
import { createPkce } from '../../support/oauth-client.js';
import {
  addApplication,
  authorizationError,
  type ConfidentialApplication,
  isActive,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

let started: StartedService;
let application: ConfidentialApplication;
let client: AuthorizationCode;

beforeAll(async () => {
  started = await startServiceForLibraries();
  application = await addApplication(started, 'https://bank.example/callback');
  const { origin, pathname } = new URL(started.url);
  client = new AuthorizationCode({
    client: { id: application.clientId, secret: application.clientSecret },
    // The library resolves its paths against the host: each path must include the issuer's path.
    auth: {
      tokenHost: origin,
      tokenPath: `${pathname}/oauth/token`,
      authorizePath: `${pathname}/oauth/authorize`,
      revokePath: `${pathname}/oauth/revoke`,
    },
  });
});

afterAll(() => started.stop());

it('simple-oauth2 completes the flow when the application passes code_challenge and code_verifier', async () => {
  const { redirectUri } = application;
  const { verifier, challenge } = createPkce();
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const callback = await decideByForm(client.authorizeURL(parameters));
  expect(callback.searchParams.get('state')).toBe('state-1');
  const redemption = {
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const token = await client.getToken(redemption);
  expect(token.expired()).toBe(false);
  const refreshed = await token.refresh();
  const accessToken = String(refreshed.token['access_token']);
  expect(await isActive(started, application, accessToken)).toBe(true);
  await refreshed.revokeAll();
  expect(await isActive(started, application, accessToken)).toBe(false);
});

it('simple-oauth2 without PKCE parameters is rejected with an error that names code_challenge', async () => {
  const url = client.authorizeURL({
    redirect_uri: application.redirectUri,
    scope: 'openid',
    state: 'state-1',
  });
  expect(await authorizationError(url)).toBe('invalid_request: code_challenge is required');
});
