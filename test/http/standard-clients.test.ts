/** Unmodified third-party clients with their strictest settings complete a login (D13, S181). */
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideByForm } from '../support/decide-by-form.js';
import { CONFIDENTIAL, PUBLIC } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
  // The clients compare instants with their own clock.
  started.clock.moveTo(Date.now());
});

afterAll(() => started.stop());

describe('openid-client', () => {
  const clients: readonly [string, string, string, openid.ClientAuth, string | undefined][] = [
    ['a public client', PUBLIC.clientId, PUBLIC.redirectUri, openid.None(), undefined],
    [
      'a client with Basic',
      CONFIDENTIAL.clientId,
      CONFIDENTIAL.redirectUri,
      openid.ClientSecretBasic(CONFIDENTIAL.secret),
      CONFIDENTIAL.secret,
    ],
    [
      'a client with its secret in the body',
      CONFIDENTIAL.clientId,
      CONFIDENTIAL.redirectUri,
      openid.ClientSecretPost(CONFIDENTIAL.secret),
      CONFIDENTIAL.secret,
    ],
  ];

  it.each(clients)(
    'as %s completes discovery, authorization, exchange, refresh, user information and revocation',
    async (_what, clientId, redirectUri, auth, secret) => {
      const metadata = {
        ...(secret === undefined ? {} : { client_secret: secret }),
      };
      const config = await openid.discovery(new URL(started.url), clientId, metadata, auth, {
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
      });
      const codeVerifier = openid.randomPKCECodeVerifier();
      const [state, nonce] = [openid.randomState(), openid.randomNonce()];
      const authorizationUrl = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid identity:read kyc:read',
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const callback = await decideByForm(authorizationUrl);
      const tokens = await openid.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const subject = tokens.claims()?.sub ?? '';
      const info = await openid.fetchUserInfo(config, tokens.access_token, subject);
      expect(info).toMatchObject({ sub: subject, email: 'ada@example.org', email_verified: true });
      const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(next.claims()?.sub).toBe(subject);
      if (secret !== undefined) {
        expect(await openid.tokenIntrospection(config, next.access_token)).toMatchObject({
          active: true,
          sub: subject,
        });
      }
      await openid.tokenRevocation(config, next.refresh_token ?? '');
      await expect(openid.fetchUserInfo(config, next.access_token, subject)).rejects.toThrow();
    },
  );
});

describe('oauth4webapi', () => {
  it('discovers the service by RFC 8414 and completes a flow', async () => {
    const issuer = new URL(started.url);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, discovered);
    const client: oauth.Client = { client_id: CONFIDENTIAL.clientId };
    const auth = oauth.ClientSecretBasic(CONFIDENTIAL.secret);
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CONFIDENTIAL.redirectUri,
      response_type: 'code',
      scope: 'openid identity:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString();
    const parameters = oauth.validateAuthResponse(as, client, await decideByForm(url), state);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      parameters,
      CONFIDENTIAL.redirectUri,
      codeVerifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, response, insecure);
    const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
    const info = await oauth.processUserInfoResponse(
      as,
      client,
      subject,
      await oauth.userInfoRequest(as, client, tokens.access_token, insecure),
    );
    expect(info.sub).toBe(subject);
    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      client,
      auth,
      tokens.refresh_token ?? '',
      insecure,
    );
    const next = await oauth.processRefreshTokenResponse(as, client, refreshed);
    const introspected = await oauth.introspectionRequest(as, client, auth, next.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(as, client, introspected)).toMatchObject({
      active: true,
    });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, auth, next.access_token, insecure),
    );
    const after = await oauth.introspectionRequest(as, client, auth, next.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(as, client, after)).toEqual({ active: false });
  });
});
