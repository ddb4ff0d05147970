/** Concurrent calls share one refresh, and a used refresh token is never sent again (V9). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Access, inMemoryTokens, type TokenStorage, type Tokens } from '../../src/client/index.js';
import { isGood } from '../support/oauth-client.js';
import {
  agree,
  clientErrorOf,
  confidentialClient,
  publicClient,
  watchedFetch,
} from '../support/package-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const HOUR_MS = 3_600_000;
const TOKEN = '/v2/oauth/token';
const SCOPES = ['openid', 'kyc:read'];

let started: StartedService;

beforeEach(async () => {
  started = await startService();
});

afterEach(() => started.stop());

/** How often the token endpoint was asked. */
function tokenRequests(requests: readonly string[]): number {
  return requests.filter((path) => path === TOKEN).length;
}

async function tokensOf(access: Access): Promise<Tokens> {
  const tokens = await access.tokens();
  if (tokens === undefined) throw new Error('there should be tokens');
  return tokens;
}

describe('a replacement', () => {
  // V9
  it('is one for a hundred calls at once, through any number of openings of one storage', async () => {
    const { requests, fetch } = watchedFetch();
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    await agree(client, SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.access(storage).preset('kyc_level')),
    );
    expect([answers.length, tokenRequests(requests)]).toEqual([100, 2]);
    expect(await isGood(started, (await tokensOf(client.access(storage))).accessToken)).toBe(true);
  });

  // V9
  it('is one for two storages that hold copies of the same tokens, and reaches both', async () => {
    const { requests, fetch } = watchedFetch();
    const client = publicClient(started, { fetch });
    const one = await agree(client, SCOPES);
    const other = client.access(inMemoryTokens(await one.tokens()));
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    await Promise.all([one.userInfo(), other.userInfo()]);
    expect([await other.tokens(), tokenRequests(requests)]).toEqual([await one.tokens(), 2]);
  });

  it('comes half a minute before the end, and not earlier', async () => {
    const { requests, fetch } = watchedFetch();
    const access = await agree(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS - 30_001);
    await access.userInfo();
    expect(tokenRequests(requests)).toBe(1);
    started.clock.moveTo(STARTED_AT + HOUR_MS - 30_000);
    await access.userInfo();
    expect(tokenRequests(requests)).toBe(2);
  });

  it('comes as well when a token is refused that should be good, and the call is answered', async () => {
    const { requests, fetch } = watchedFetch();
    // This machine's clock is two hours behind the service's.
    const behind = { now: () => started.clock.now() - 2 * HOUR_MS };
    const access = await agree(publicClient(started, { fetch, clock: behind }), ['kyc:read']);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const answers = await Promise.all([1, 2, 3].map(() => access.preset('kyc_level')));
    expect([answers.length, tokenRequests(requests)]).toEqual([3, 2]);
  });

  // V9
  it('is not begun with a token that another process has replaced meanwhile', async () => {
    // Two clients are two processes, which share nothing but the storage.
    const storage = inMemoryTokens();
    const [one, other] = [publicClient(started), publicClient(started)];
    await agree(one, SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const stale = await storage.read();
    await one.access(storage).userInfo();
    // The other read the tokens before, and comes to replace them after.
    let reads = 0;
    const late: TokenStorage = {
      read: () => {
        reads += 1;
        return reads === 1 ? stale : storage.read();
      },
      write: storage.write,
    };
    expect((await other.access(late).userInfo()).sub).toBe(stale?.subject);
    expect(await isGood(started, (await tokensOf(one.access(storage))).accessToken)).toBe(true);
  });

  // V9
  it('is one for two processes whose storage lets one work at a time', async () => {
    const { requests, fetch } = watchedFetch();
    const kept = inMemoryTokens();
    let before: Promise<unknown> = Promise.resolve();
    const storage: TokenStorage = {
      ...kept,
      exclusively: (work) => {
        const mine = before.then(work);
        before = mine.catch(() => undefined);
        return mine;
      },
    };
    await agree(publicClient(started, { fetch }), SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    await Promise.all([1, 2, 3].map(() => publicClient(started, { fetch }).access(storage).userInfo()));
    expect(tokenRequests(requests)).toBe(2);
  });

  it('that fails in passing leaves what is good for some seconds more, and is tried again', async () => {
    let fails = false;
    const { requests, fetch } = watchedFetch((path) =>
      fails && path === TOKEN ? new Response('', { status: 503 }) : undefined,
    );
    const access = await agree(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS - 1_000);
    fails = true;
    await access.userInfo();
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    expect((await clientErrorOf(access.userInfo())).status).toBe(503);
    fails = false;
    await access.userInfo();
    expect(tokenRequests(requests)).toBe(4);
  });

  it('goes on for the others when one of those who wait gives up', async () => {
    const aborting = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { requests, fetch } = watchedFetch(async (path, count) => {
      if (path === TOKEN && count === 2) {
        aborting.abort(new Error('enough'));
        await released;
      }
      return undefined;
    });
    const access = await agree(publicClient(started, { fetch }), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const givesUp = access.userInfo({ signal: aborting.signal });
    const waits = access.userInfo();
    // While the token endpoint has not answered.
    await expect(givesUp).rejects.toThrow('enough');
    release();
    expect((await waits).aud).toBe('sandbox-public');
    expect([tokenRequests(requests), (await tokensOf(access)).expiresAt]).toEqual([
      2,
      STARTED_AT + 2 * HOUR_MS,
    ]);
  });
});

describe('a storage that is another person’s meanwhile', () => {
  /** A fetch whose next request to a path waits, before it is sent or once it is answered, until it is let go. */
  function heldFetch(when: 'before' | 'after') {
    let held: { readonly path: string; arrived: () => void; readonly released: Promise<void> } | undefined;
    const fetching: typeof fetch = async (input, init) => {
      const hold = new URL(String(input)).pathname === held?.path ? held : undefined;
      if (hold === undefined) return await fetch(input, init);
      held = undefined;
      const answer = when === 'after' ? await fetch(input, init) : undefined;
      hold.arrived();
      await hold.released;
      return answer ?? (await fetch(input, init));
    };
    const hold = (path: string) => {
      let [release, arrived] = [() => {}, () => {}];
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const arrives = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      held = { path, arrived, released };
      return { arrives, release };
    };
    return { fetch: fetching, hold };
  }

  const BRUNO = { decision: { person: 'bruno' } };

  // V9
  it('keeps their tokens when a replacement for who was there before comes late', async () => {
    const { fetch, hold } = heldFetch('after');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await agree(client, SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const { arrives, release } = hold(TOKEN);
    const asked = [clientErrorOf(ada.userInfo()), clientErrorOf(ada.preset('kyc_level'))];
    await arrives;
    const bruno = await tokensOf(await agree(client, SCOPES, { storage, ...BRUNO }));
    release();
    const codes = (await Promise.all(asked)).map(({ code }) => code);
    expect(codes).toEqual(['authorization_needed', 'authorization_needed']);
    expect(await storage.read()).toEqual(bruno);
  });

  it('stays empty when a replacement comes after another process has signed out', async () => {
    const { fetch, hold } = heldFetch('after');
    const kept = inMemoryTokens();
    const written: (Tokens | undefined)[] = [];
    const write = (tokens: Tokens | undefined) => {
      written.push(tokens);
      return kept.write(tokens);
    };
    const storage: TokenStorage = { read: kept.read, write };
    const ada = await agree(publicClient(started, { fetch }), SCOPES, { storage });
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const { arrives, release } = hold(TOKEN);
    const asked = clientErrorOf(ada.userInfo());
    await arrives;
    await publicClient(started).access(storage).signOut();
    release();
    expect((await asked).code).toBe('authorization_needed');
    expect(written).toEqual([expect.anything(), undefined]);
  });

  it('answers no call that was begun for who was there before', async () => {
    const { fetch, hold } = heldFetch('before');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await agree(client, SCOPES, { storage });
    const { arrives, release } = hold('/v2/presets/kyc_level');
    const asked = clientErrorOf(ada.preset('kyc_level'));
    await arrives;
    await client.access(inMemoryTokens(await ada.tokens())).revoke();
    const bruno = await tokensOf(await agree(client, SCOPES, { storage, ...BRUNO }));
    release();
    expect((await asked).code).toBe('authorization_needed');
    expect(await storage.read()).toEqual(bruno);
  });

  // V9
  it('keeps no other storage with a copy of the tokens from replacing them, and gives it nobody else’s', async () => {
    const client = publicClient(started);
    const storage = inMemoryTokens();
    const ada = await agree(client, SCOPES, { storage });
    const copy = inMemoryTokens(await ada.tokens());
    const { subject } = await tokensOf(ada);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    let reads = 0;
    // Bruno signs in between the call's look into the storage and the replacement's.
    const before = await storage.read();
    const bruno = await tokensOf(await agree(client, SCOPES, { storage, ...BRUNO }));
    const late = client.access({ ...storage, read: () => (reads++ === 0 ? before : storage.read()) });
    const [refused, info] = await Promise.all([
      clientErrorOf(late.userInfo()),
      client.access(copy).userInfo(),
    ]);
    expect([refused.code, info.sub]).toEqual(['authorization_needed', subject]);
    expect([await storage.read(), (await copy.read())?.subject]).toEqual([bruno, subject]);
  });

  it('keeps their tokens when the sign-out of who was there before is answered late', async () => {
    const { fetch, hold } = heldFetch('after');
    const client = publicClient(started, { fetch });
    const storage = inMemoryTokens();
    const ada = await agree(client, SCOPES, { storage });
    const { arrives, release } = hold('/v2/oauth/revoke');
    const signedOut = ada.signOut();
    await arrives;
    const bruno = await tokensOf(await agree(client, SCOPES, { storage, ...BRUNO }));
    release();
    await signedOut;
    expect(await storage.read()).toEqual(bruno);
  });
});

it('whatever the client writes, it writes while nobody else who shares the storage works', async () => {
  const kept = inMemoryTokens();
  let [working, turns] = [false, 0];
  const written: boolean[] = [];
  const storage: TokenStorage = {
    read: kept.read,
    write: (tokens) => {
      written.push(working);
      return kept.write(tokens);
    },
    exclusively: async (work) => {
      [working, turns] = [true, turns + 1];
      try {
        return await work();
      } finally {
        working = false;
      }
    },
  };
  const access = await agree(publicClient(started), SCOPES, { storage });
  started.clock.moveTo(STARTED_AT + HOUR_MS);
  await access.userInfo();
  await access.signOut();
  await agree(confidentialClient(started), [...SCOPES, 'identity:read']);
  const named = await confidentialClient(started).userToken({ email: 'ada@example.org' }, { storage });
  await started.store.revokeAuthorization((await tokensOf(named)).authorizationId, STARTED_AT);
  expect((await clientErrorOf(named.userInfo())).code).toBe('authorization_needed');
  expect([written, turns]).toEqual([[true, true, true, true, true], 5]);
});

describe('the end of an agreement', () => {
  // S107
  it('is told as one: the person has to be asked again, and the tokens are forgotten', async () => {
    const { requests, fetch } = watchedFetch();
    const access = await agree(publicClient(started, { fetch }), SCOPES);
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
  it('waits for a refresh in flight, and revokes the new tokens', async () => {
    const access = await agree(publicClient(started), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const asked = access.userInfo();
    const revoked = access.revoke();
    await Promise.allSettled([asked]);
    expect(await revoked).toMatchObject({ revoked: true });
    expect(await access.tokens()).toBeUndefined();
  });
});
