/** State after a restart, tokens of another store, and responses while the store fails (S16, S101, S116, S137, S148). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestListener } from '../../src/http/index.js';
import { re2js } from '../../src/regex/re2js.js';
import {
  createService,
  createSettings,
  SANDBOX,
  type Store,
  StoreUnavailable,
} from '../../src/service/index.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { systemSigner } from '../../src/system/signer.js';
import { isGood, logIn, PUBLIC, postJson, refresh, type Tokens } from '../support/oauth-client.js';
import { createSeededRandom } from '../support/seeded-random.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** Puts a service that was built anew behind the same address, as a restart does. */
async function restart(store: Store = started.store): Promise<void> {
  const ports = {
    store,
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
  it('what was rotated stays dead, and what is alive stays alive', async () => {
    const first = await logIn(started);
    const second = (await (await refresh(started, first.refresh_token)).json()) as Tokens;
    const other = await logIn(started);
    await restart();
    expect([await isGood(started, second.access_token), await isGood(started, other.access_token)]).toEqual([
      true,
      true,
    ]);
    expect((await logIn(started)).app_scoped_user_id).toBe(first.app_scoped_user_id);
    expect((await refresh(started, first.refresh_token)).status).toBe(400);
    expect([await isGood(started, second.access_token), await isGood(started, other.access_token)]).toEqual([
      false,
      true,
    ]);
  });
});

describe('a token', () => {
  // S137
  it('of another store is nobody’s', async () => {
    const elsewhere = await startService();
    const { access_token } = await logIn(elsewhere);
    expect([await isGood(elsewhere, access_token), await isGood(started, access_token)]).toEqual([
      true,
      false,
    ]);
    await elsewhere.stop();
  });

  // V11, S148
  it('is looked up once a request and at each request', async () => {
    let lookUps = 0;
    const watched = await startService({
      wrap: (store) => ({
        ...store,
        findPresentedToken: (hash) => {
          lookUps += 1;
          return store.findPresentedToken(hash);
        },
      }),
    });
    const { access_token } = await logIn(watched);
    for (let request = 1; request <= 3; request += 1) {
      expect([await isGood(watched, access_token), lookUps]).toEqual([true, request]);
    }
    await watched.stop();
  });
});

describe('a store that fails', () => {
  // S116
  it('is told, and nothing is said to be revoked', async () => {
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
    expect(await isGood(broken, tokens.access_token)).toBe(true);
    await broken.stop();
  });
});

describe('an answer whose head cannot be written', () => {
  // S25
  it('is a failure of ours, told with nothing of it, and the next is answered', async () => {
    // What comes without types may hold anything.
    const type = 'text/css\r\nSet-Cookie: planted=1' as 'text/css';
    const assets = new Map([['wrong.css', { type, text: 'body {}' }]]);
    const service = await startService({ listener: { playground: { page: '', assets } } });
    const wrong = await fetch(new URL('/assets/wrong.css', service.url));
    expect([wrong.status, await wrong.json(), wrong.headers.get('set-cookie')]).toMatchObject([
      500,
      { error_code: 'E5000', error_subcode: 'server_error' },
      null,
    ]);
    expect(service.failures).toMatchObject([{ code: 'ERR_INVALID_CHAR' }]);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    await service.stop();
  });
});

describe('the server', () => {
  // D11, S16
  it('waits ten seconds for a head, thirty for a request, five for the next', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount } = started.server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount]).toEqual([
      10_000, 30_000, 5_000, 100,
    ]);
  });
});
