/** Tokens are replaced once, however many wait for it, and never by a refresh token that was used (V9). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Access, inMemoryTokens, type TokenStorage, type Tokens } from '../../src/client/index.js';
import { agree, clientErrorOf, publicClient, watchedFetch } from '../support/an-application.js';
import { isGood } from '../support/oauth-client.js';
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
  it('is one for a hundred calls at once, through any number of openings of one storage (V9)', async () => {
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

  it('is one for two storages that hold copies of the same tokens, and reaches both (V9)', async () => {
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

  it('is not begun with a token that another process has replaced meanwhile (V9)', async () => {
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

  it('is one for two processes whose storage lets one work at a time (V9)', async () => {
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

describe('the end of an agreement', () => {
  it('is told as one: the person has to be asked again, and the tokens are forgotten (S107)', async () => {
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

  it('waits for a replacement that is under way, and takes back what came of it (S110)', async () => {
    const access = await agree(publicClient(started), SCOPES);
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const asked = access.userInfo();
    const revoked = access.revoke();
    await Promise.allSettled([asked]);
    expect(await revoked).toMatchObject({ revoked: true });
    expect(await access.tokens()).toBeUndefined();
  });
});
