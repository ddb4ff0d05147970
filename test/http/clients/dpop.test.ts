/** DPoP with unmodified client libraries, which create keys and proofs and handle nonces (RFC 9449, S284). */
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideByForm } from '../../support/decide-by-form.js';
import {
  addApplication,
  addPublicApplication,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

const REDIRECT_URI = 'https://bank.example/callback';
const BOUND = { dpopBoundAccessTokens: true };
/** The service of the tests uses plain HTTP, which the libraries reject without this option. */
const OVER_HTTP = { [oauth.allowInsecureRequests]: true };

let nonceErrors = 0;

/** Sends a request. If a nonce is required, repeats the request with the nonce that the library stored from the error. */
async function withNonce<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    nonceErrors += 1;
    return await request();
  }
}

describe.each([
  ['a service that requires no DPoP nonces', false],
  ['a service that requires DPoP nonces', true],
])('%s', (_how, dpopNonce) => {
  let started: StartedService;

  beforeAll(async () => {
    started = await startServiceForLibraries({ options: { dpopNonce } });
  });

  // Proofs are accepted within a minute of the service's clock.
  beforeEach(() => started.clock.moveTo(Date.now()));

  afterAll(() => started.stop());

  async function completeByOauth4webapi(client: oauth.Client, auth: oauth.ClientAuth): Promise<void> {
    const issuer = new URL(started.url);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, OVER_HTTP));
    expect(as.dpop_signing_alg_values_supported).toContain('ES256');
    const keys = await oauth.generateKeyPair('ES256');
    const DPoP = oauth.DPoP(client, keys);
    const options = { ...OVER_HTTP, DPoP };
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const redirectTo = new URL(as.authorization_endpoint ?? '');
    redirectTo.searchParams.set('client_id', client.client_id);
    redirectTo.searchParams.set('redirect_uri', REDIRECT_URI);
    redirectTo.searchParams.set('response_type', 'code');
    redirectTo.searchParams.set('scope', 'openid email');
    redirectTo.searchParams.set('code_challenge', await oauth.calculatePKCECodeChallenge(codeVerifier));
    redirectTo.searchParams.set('code_challenge_method', 'S256');
    redirectTo.searchParams.set('dpop_jkt', await DPoP.calculateThumbprint());
    const parameters = oauth.validateAuthResponse(as, client, await decideByForm(redirectTo));
    nonceErrors = 0;
    const tokens = await withNonce(async () => {
      const exchange = [as, client, auth, parameters, REDIRECT_URI, codeVerifier, options] as const;
      const response = await oauth.authorizationCodeGrantRequest(...exchange);
      return await oauth.processAuthorizationCodeResponse(as, client, response, { requireIdToken: true });
    });
    expect(tokens.token_type).toBe('dpop');
    expect(nonceErrors).toBe(dpopNonce ? 1 : 0);
    const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
    const info = await withNonce(async () => {
      const response = await oauth.userInfoRequest(as, client, tokens.access_token, options);
      return await oauth.processUserInfoResponse(as, client, subject, response);
    });
    expect(info.sub).toBe(subject);
    const refreshed = await withNonce(async () => {
      const request = [as, client, auth, tokens.refresh_token ?? '', options] as const;
      const response = await oauth.refreshTokenGrantRequest(...request);
      return await oauth.processRefreshTokenResponse(as, client, response);
    });
    const url = new URL(`${started.url}/authorizations`);
    const listed = await withNonce(() =>
      oauth.protectedResourceRequest(refreshed.access_token, 'GET', url, undefined, null, options),
    );
    expect(listed.status).toBe(200);
    const asBearer = oauth.userInfoRequest(as, client, refreshed.access_token, OVER_HTTP);
    await expect(
      asBearer.then((response) => oauth.processUserInfoResponse(as, client, subject, response)),
    ).rejects.toMatchObject({ cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }] });
  }

  // S284
  it('oauth4webapi completes the flow of a confidential client', async () => {
    const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI, BOUND);
    await completeByOauth4webapi({ client_id: clientId }, oauth.ClientSecretPost(clientSecret));
  });

  // S284
  it('oauth4webapi completes the flow of a public client', async () => {
    const { clientId } = await addPublicApplication(started, REDIRECT_URI, BOUND);
    await completeByOauth4webapi({ client_id: clientId }, oauth.None());
  });

  async function completeByOpenidClient(config: openid.Configuration, alg: string): Promise<void> {
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair(alg));
    const options = { DPoP };
    const codeVerifier = openid.randomPKCECodeVerifier();
    const redirectTo = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid email profile',
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const callback = await decideByForm(redirectTo);
    const checks = { pkceCodeVerifier: codeVerifier };
    const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, options);
    expect(tokens.token_type).toBe('dpop');
    const subject = tokens.claims()?.sub ?? '';
    expect((await openid.fetchUserInfo(config, tokens.access_token, subject, options)).sub).toBe(subject);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, options);
    const url = new URL(`${started.url}/presets/kyc_level`);
    const request = [config, refreshed.access_token, url, 'GET', null, undefined, options] as const;
    // The client's scopes do not cover the preset: the error has a challenge of the DPoP scheme.
    await expect(openid.fetchProtectedResource(...request)).rejects.toMatchObject({
      cause: [{ scheme: 'dpop', parameters: { error: 'insufficient_scope' } }],
    });
  }

  // S284
  it.each(['ES256', 'RS256', 'PS256', 'Ed25519'])(
    'openid-client 6 completes the flow of a confidential client with a key for %s',
    async (alg) => {
      const { clientId, clientSecret } = await addApplication(started, REDIRECT_URI, BOUND);
      const execute = [openid.allowInsecureRequests];
      const config = await openid.discovery(new URL(started.url), clientId, clientSecret, undefined, {
        execute,
      });
      await completeByOpenidClient(config, alg);
    },
  );

  // S284
  it('openid-client 6 completes the flow of a public client', async () => {
    const { clientId } = await addPublicApplication(started, REDIRECT_URI, BOUND);
    const execute = [openid.allowInsecureRequests];
    const config = await openid.discovery(new URL(started.url), clientId, undefined, openid.None(), {
      execute,
    });
    await completeByOpenidClient(config, 'ES256');
  });
});
