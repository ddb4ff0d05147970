/** Concurrent calls share one refresh, and a used refresh token is never sent again (V9). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Access, inMemoryTokens, type TokenStorage, type Tokens } from '../../src/client/index.js';
import { isTokenValid } from '../support/oauth-client.js';
import {
  clientErrorOf,
  confidentialClient,
  createRecordingFetch,
  obtainAccess,
  publicClient,
} from '../support/package-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const HOUR_MS = 3_600_000;
const TOKEN = '/v2/oauth/token';
const REVOKE = '/v2/oauth/revoke';
const SCOPES = ['openid', 'kyc:read'];

let started: StartedService;

beforeEach(async () => {
  started = await startService();
});

afterEach(() => started.stop());

/** Counts the requests to the token endpoint. */
function tokenRequests(requests: readonly string[]): number {
  return requests.filter((path) => path === TOKEN).length;
}

async function tokensOf(access: Access): Promise<Tokens> {
  const tokens = await access.tokens();
  if (tokens === undefined) throw new Error('there should be tokens');
  return tokens;
}

describe('a refresh', () => {
  // V9
  it('is shared by a hundred concurrent calls, through as many accesses to one storage', async () => {
    const { requests, fetch } = createRecordingFetch();
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    await obtainAccess(client, SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const results = await Promise.all(
      Array.from({ length: 100 }, () => client.access(storage).preset('kyc_level')),
    );
    expect([results.length, tokenRequests(requests)]).toEqual([100, 2]);
    expect(await isTokenValid(started, (await tokensOf(client.access(storage))).accessToken)).toBe(true);
  });

  // V9
  it('is shared by two storages with copies of the same tokens, and updates both', async () => {
    const { requests, fetch } = createRecordingFetch();
    const client = publicClient(started, { fetch });
    const first = await obtainAccess(client, SCOPES);
    const other = client.access(inMemoryTokens(await first.tokens()));
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    await Promise.all([first.userInfo(), other.userInfo()]);
    expect([await other.tokens(), tokenRequests(requests)]).toEqual([await first.tokens(), 2]);
  });

  it('is sent half a minute before expiry, and not earlier', async () => {
    const { requests, fetch } = createRecordingFetch();
    const access = await obtainAccess(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS - 30_001);
    await access.userInfo();
    expect(tokenRequests(requests)).toBe(1);
    started.clock.moveTo(STARTED_AT + HOUR_MS - 30_000);
    await access.userInfo();
    expect(tokenRequests(requests)).toBe(2);
  });

  it('is also sent when the service rejects an access token, and the call then succeeds', async () => {
    const { requests, fetch } = createRecordingFetch();
    // The client's clock is two hours behind the service's.
    const clockBehind = { now: () => started.clock.now() - 2 * HOUR_MS };
    const access = await obtainAccess(publicClient(started, { fetch, clock: clockBehind }), ['kyc:read']);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const results = await Promise.all([1, 2, 3].map(() => access.preset('kyc_level')));
    expect([results.length, tokenRequests(requests)]).toEqual([3, 2]);
  });

  // V9
  it('is not sent with a refresh token that another process has replaced in the meantime', async () => {
    // Two clients represent two processes, which share only the storage.
    const storage = inMemoryTokens();
    const [first, other] = [publicClient(started), publicClient(started)];
    await obtainAccess(first, SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const stale = await storage.read();
    await first.access(storage).userInfo();
    // The other process read the tokens before the refresh, and refreshes after it.
    let reads = 0;
    const lateStorage: TokenStorage = {
      read: () => {
        reads += 1;
        return reads === 1 ? stale : storage.read();
      },
      write: storage.write,
    };
    expect((await other.access(lateStorage).userInfo()).sub).toBe(stale?.subject);
    expect(await isTokenValid(started, (await tokensOf(first.access(storage))).accessToken)).toBe(true);
  });

  // V9
  it('is shared by three processes whose storage has an exclusive lock', async () => {
    const { requests, fetch } = createRecordingFetch();
    const memory = inMemoryTokens();
    let before: Promise<unknown> = Promise.resolve();
    const storage: TokenStorage = {
      ...memory,
      exclusively: (work) => {
        const turn = before.then(work);
        before = turn.catch(() => undefined);
        return turn;
      },
    };
    await obtainAccess(publicClient(started, { fetch }), SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    await Promise.all([1, 2, 3].map(() => publicClient(started, { fetch }).access(storage).userInfo()));
    expect(tokenRequests(requests)).toBe(2);
  });

  it('that fails temporarily leaves a token usable until its expiry, and is retried', async () => {
    let isFailing = false;
    const { requests, fetch } = createRecordingFetch((path) =>
      isFailing && path === TOKEN ? new Response('', { status: 503 }) : undefined,
    );
    const access = await obtainAccess(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS - 1_000);
    isFailing = true;
    await access.userInfo();
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    expect((await clientErrorOf(access.userInfo())).status).toBe(503);
    isFailing = false;
    await access.userInfo();
    expect(tokenRequests(requests)).toBe(4);
  });

  it('continues for other callers when one of them aborts', async () => {
    const aborting = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { requests, fetch } = createRecordingFetch(async (path, count) => {
      if (path === TOKEN && count === 2) {
        aborting.abort(new Error('enough'));
        await released;
      }
      return undefined;
    });
    const access = await obtainAccess(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const aborted = access.userInfo({ signal: aborting.signal });
    const waiting = access.userInfo();
    // The token endpoint has not responded yet.
    await expect(aborted).rejects.toThrow('enough');
    release();
    expect((await waiting).aud).toBe('sandbox-public');
    expect([tokenRequests(requests), (await tokensOf(access)).expiresAt]).toEqual([
      2,
      STARTED_AT + 2 * HOUR_MS,
    ]);
  });
});

describe('a storage whose tokens change during a call', () => {
  /**
   * Returns a fetch that holds the next request to a path until it is released: before the request is sent, or after its response has arrived.
   */
  function heldFetch(when: 'before' | 'after') {
    let held: { readonly path: string; arrived: () => void; readonly released: Promise<void> } | undefined;
    const fetching: typeof fetch = async (input, init) => {
      const hold = new URL(String(input)).pathname === held?.path ? held : undefined;
      if (hold === undefined) return await fetch(input, init);
      held = undefined;
      const response = when === 'after' ? await fetch(input, init) : undefined;
      hold.arrived();
      await hold.released;
      return response ?? (await fetch(input, init));
    };
    const hold = (path: string) => {
      let [release, arrived] = [() => {}, () => {}];
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      held = { path, arrived, released };
      return { arrival, release };
    };
    return { fetch: fetching, hold };
  }

  const BRUNO = { decision: { person: 'bruno' } };

  // V9
  it('keeps the new tokens when a refresh of the previous ones completes late', async () => {
    const { fetch, hold } = heldFetch('after');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await obtainAccess(client, SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const { arrival, release } = hold(TOKEN);
    const pending = [clientErrorOf(ada.userInfo()), clientErrorOf(ada.preset('kyc_level'))];
    await arrival;
    const bruno = await tokensOf(await obtainAccess(client, SCOPES, { storage, ...BRUNO }));
    release();
    const codes = (await Promise.all(pending)).map(({ code }) => code);
    expect(codes).toEqual(['authorization_needed', 'authorization_needed']);
    expect(await storage.read()).toEqual(bruno);
  });

  it('stays empty when a refresh completes after another process signed out', async () => {
    const { fetch, hold } = heldFetch('after');
    const memory = inMemoryTokens();
    const written: (Tokens | undefined)[] = [];
    const write = (tokens: Tokens | undefined) => {
      written.push(tokens);
      return memory.write(tokens);
    };
    const storage: TokenStorage = { read: memory.read, write };
    const ada = await obtainAccess(publicClient(started, { fetch }), SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const { arrival, release } = hold(TOKEN);
    const pending = clientErrorOf(ada.userInfo());
    await arrival;
    await publicClient(started).access(storage).signOut();
    release();
    expect((await pending).code).toBe('authorization_needed');
    expect(written).toEqual([expect.anything(), undefined]);
  });

  it("rejects a call that began with the previous tokens, and keeps the new person's tokens", async () => {
    const { fetch, hold } = heldFetch('before');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await obtainAccess(client, SCOPES, { storage });
    const { arrival, release } = hold('/v2/presets/kyc_level');
    const pending = clientErrorOf(ada.preset('kyc_level'));
    await arrival;
    await client.access(inMemoryTokens(await ada.tokens())).revoke();
    const bruno = await tokensOf(await obtainAccess(client, SCOPES, { storage, ...BRUNO }));
    release();
    expect((await pending).code).toBe('authorization_needed');
    expect(await storage.read()).toEqual(bruno);
  });

  it('does not affect a pending request for user information with the previous tokens', async () => {
    const { fetch, hold } = heldFetch('after');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await obtainAccess(client, SCOPES, { storage });
    const { subject } = await tokensOf(ada);
    const { arrival, release } = hold('/v2/userinfo');
    const pending = ada.userInfo();
    await arrival;
    await obtainAccess(client, SCOPES, { storage, ...BRUNO });
    release();
    expect((await pending).sub).toBe(subject);
  });

  // V9
  it('does not prevent the refresh of copies of the previous tokens in another storage', async () => {
    const client = publicClient(started);
    const storage = inMemoryTokens();
    const ada = await obtainAccess(client, SCOPES, { storage });
    const copy = inMemoryTokens(await ada.tokens());
    const { subject } = await tokensOf(ada);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    let reads = 0;
    // Bruno signs in between the call's first read of the storage and the read of its refresh.
    const before = await storage.read();
    const bruno = await tokensOf(await obtainAccess(client, SCOPES, { storage, ...BRUNO }));
    const lateAccess = client.access({ ...storage, read: () => (reads++ === 0 ? before : storage.read()) });
    const [refused, info] = await Promise.all([
      clientErrorOf(lateAccess.userInfo()),
      client.access(copy).userInfo(),
    ]);
    expect([refused.code, info.sub]).toEqual(['authorization_needed', subject]);
    expect([await storage.read(), (await copy.read())?.subject]).toEqual([bruno, subject]);
  });

  it('keeps the new tokens when a sign-out with the previous ones completes late', async () => {
    const { fetch, hold } = heldFetch('after');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await obtainAccess(client, SCOPES, { storage });
    const { arrival, release } = hold(REVOKE);
    const signedOut = ada.signOut();
    await arrival;
    const bruno = await tokensOf(await obtainAccess(client, SCOPES, { storage, ...BRUNO }));
    release();
    await signedOut;
    expect(await storage.read()).toEqual(bruno);
  });
});

it('the client writes to a storage only under its exclusive lock', async () => {
  const memory = inMemoryTokens();
  let [isLocked, locks] = [false, 0];
  const written: boolean[] = [];
  const storage: TokenStorage = {
    read: memory.read,
    write: (tokens) => {
      written.push(isLocked);
      return memory.write(tokens);
    },
    exclusively: async (work) => {
      [isLocked, locks] = [true, locks + 1];
      try {
        return await work();
      } finally {
        isLocked = false;
      }
    },
  };
  const access = await obtainAccess(publicClient(started), SCOPES, { storage });
  started.clock.moveTo(STARTED_AT + HOUR_MS);
  await access.userInfo();
  await access.signOut();
  await obtainAccess(confidentialClient(started), [...SCOPES, 'identity:read']);
  const named = await confidentialClient(started).userToken({ email: 'ada@example.org' }, { storage });
  await started.store.revokeAuthorization((await tokensOf(named)).authorizationId, STARTED_AT);
  expect((await clientErrorOf(named.userInfo())).code).toBe('authorization_needed');
  expect([written, locks]).toEqual([[true, true, true, true, true], 5]);
});

it('a call whose rejected tokens without a refresh token were replaced in the meantime succeeds with the new ones', async () => {
  await obtainAccess(confidentialClient(started), [...SCOPES, 'identity:read']);
  const storage = inMemoryTokens();
  const selector = { email: 'ada@example.org' };
  const { fetch } = createRecordingFetch(async (path, count) => {
    if (path === '/v2/userinfo' && count === 1) {
      started.clock.moveTo(STARTED_AT + HOUR_MS);
      await confidentialClient(started).userToken(selector, { storage });
    }
    return undefined;
  });
  const named = await confidentialClient(started, { fetch }).userToken(selector, { storage });
  const rejected = await tokensOf(named);
  expect((await named.userInfo()).sub).toBe(rejected.subject);
  expect((await tokensOf(named)).accessToken).not.toBe(rejected.accessToken);
});

describe('an authorization', () => {
  // S107
  it('that has ended is reported as authorization_needed, and the tokens are deleted', async () => {
    const { requests, fetch } = createRecordingFetch();
    const access = await obtainAccess(publicClient(started, { fetch }), SCOPES);
    await started.store.revokeAuthorization((await tokensOf(access)).authorizationId, STARTED_AT);
    const error = await clientErrorOf(access.userInfo());
    expect([error.code, (error.cause as { code: string }).code]).toEqual([
      'authorization_needed',
      'invalid_grant',
    ]);
    expect(await access.tokens()).toBeUndefined();
    const before = requests.length;
    expect((await clientErrorOf(access.userInfo())).code).toBe('authorization_needed');
    expect(requests).toHaveLength(before);
  });

  // S110
  it('is revoked after a refresh that is in flight, and the new tokens are deleted', async () => {
    let revoking: Promise<unknown> | undefined;
    const { requests, fetch } = createRecordingFetch((path, count) => {
      if (path === TOKEN && count === 2) revoking = access.revoke();
      return undefined;
    });
    const access = await obtainAccess(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    await Promise.allSettled([access.userInfo()]);
    expect(await revoking).toMatchObject({ revoked: true });
    expect(requests.filter((path) => path.startsWith('/v2/oauth/'))).toEqual([TOKEN, TOKEN, REVOKE]);
    expect(await access.tokens()).toBeUndefined();
  });
});
