/** State after a restart, tokens of another store, and responses while the store fails (S16, S101, S116, S137, S148). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestListener } from '../../src/http/index.js';
import { re2js } from '../../src/regex/re2js.js';
import { createService, createSettings, SANDBOX, StoreUnavailable } from '../../src/service/index.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { systemSigner } from '../../src/system/signer.js';
import {
  approve,
  begin,
  isTokenValid,
  logIn,
  PUBLIC,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { createSeededRandom } from '../support/seeded-random.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** Replaces the running service by a new one at the same address, as a restart does. */
async function restart(): Promise<void> {
  const ports = {
    store: started.store,
    clock: started.clock,
    random: createSeededRandom('restarted'),
    digest: systemDigest,
    signer: systemSigner,
    verifier: systemCredentialVerifier,
    regex: re2js,
  };
  const service = await createService(ports, SANDBOX, createSettings(started.url));
  started.server.removeAllListeners('request');
  started.server.on(
    'request',
    requestListener(service, { createRequestId: () => 'r', onFailure: () => undefined }),
  );
}

describe('after a restart', () => {
  // V12, S101
  it('rotated refresh tokens stay invalid, and valid tokens stay valid', async () => {
    const first = await logIn(started);
    const second = (await (await refresh(started, first.refresh_token)).json()) as Tokens;
    const other = await logIn(started);
    await restart();
    expect([
      await isTokenValid(started, second.access_token),
      await isTokenValid(started, other.access_token),
    ]).toEqual([true, true]);
    expect((await logIn(started)).app_scoped_user_id).toBe(first.app_scoped_user_id);
    expect((await refresh(started, first.refresh_token)).status).toBe(400);
    expect([
      await isTokenValid(started, second.access_token),
      await isTokenValid(started, other.access_token),
    ]).toEqual([false, true]);
  });
});

describe('an access token', () => {
  // S137
  it('of another store is not valid', async () => {
    const otherStore = await startService();
    const { access_token } = await logIn(otherStore);
    expect([await isTokenValid(otherStore, access_token), await isTokenValid(started, access_token)]).toEqual(
      [true, false],
    );
    await otherStore.stop();
  });

  // V11, S148
  it('is looked up once for each request', async () => {
    let lookups = 0;
    const countingService = await startService({
      wrap: (store) => ({
        ...store,
        findAccessToken: (hash) => {
          lookups += 1;
          return store.findAccessToken(hash);
        },
      }),
    });
    const { access_token } = await logIn(countingService);
    for (let request = 1; request <= 3; request += 1) {
      expect([await isTokenValid(countingService, access_token), lookups]).toEqual([true, request]);
    }
    await countingService.stop();
  });
});

describe('a failure of the store during revocation', () => {
  // S116
  it('is reported, and the token is not reported as revoked', async () => {
    const broken = await startService({
      wrap: (store) => ({
        ...store,
        revokeTokens: () => Promise.reject(new StoreUnavailable(new Error('disk'))),
      }),
    });
    const tokens = await logIn(broken);
    const body = { client_id: PUBLIC.clientId, token: tokens.access_token };
    const response = await postJson(broken, '/oauth/revoke', body);
    expect([response.status, await response.json()]).toMatchObject([503, { error_code: 'E5003' }]);
    expect(await isTokenValid(broken, tokens.access_token)).toBe(true);
    await broken.stop();
  });
});

describe('a failure to read the signing keys', () => {
  // S101
  it('leaves the code and the refresh token unused, so that the request can be repeated', async () => {
    let isFailing = false;
    const broken = await startService({
      wrap: (store) => ({
        ...store,
        listSigningKeys: () =>
          isFailing ? Promise.reject(new StoreUnavailable(new Error('disk'))) : store.listSigningKeys(),
      }),
    });
    /** Repeats a request that fails at first. */
    const repeat = async (send: () => Promise<Response>): Promise<Tokens> => {
      isFailing = true;
      expect((await send()).status).toBe(503);
      isFailing = false;
      const response = await send();
      expect(response.status).toBe(200);
      return (await response.json()) as Tokens;
    };
    const pending = await begin(broken);
    const code = await approve(broken, pending);
    const tokens = await repeat(() => postJson(broken, '/oauth/token', redemption(pending, code)));
    // Keys are cached for a minute.
    broken.clock.moveTo(STARTED_AT + 61_000);
    await repeat(() => refresh(broken, tokens.refresh_token));
    await broken.stop();
  });
});

describe('a response whose headers are invalid', () => {
  // S25
  it('is reported as a server error without its content, and the next request is served', async () => {
    // Values from untyped code can contain line breaks.
    const type = 'text/css\r\nSet-Cookie: planted=1' as 'text/css';
    const assets = new Map([['wrong.css', { type, text: 'body {}' }]]);
    const service = await startService({ listener: { playground: { page: '', assets } } });
    const invalid = await fetch(new URL('/assets/wrong.css', service.url));
    expect([invalid.status, await invalid.json(), invalid.headers.get('set-cookie')]).toMatchObject([
      500,
      { error_code: 'E5000', error_subcode: 'server_error' },
      null,
    ]);
    expect(service.failures).toMatchObject([{ code: 'ERR_INVALID_CHAR' }]);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    await service.stop();
  });
});

describe('the HTTP server', () => {
  // D11, S16
  it('has timeouts of ten seconds for a head, thirty for a request and five between requests', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount } = started.server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount]).toEqual([
      10_000, 30_000, 5_000, 100,
    ]);
  });
});
