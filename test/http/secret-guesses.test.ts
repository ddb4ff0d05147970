/** Limits on guessing secrets, at one instance and at several on one store (S123, S124, S190). */
import { BlockList } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN, type Store, StoreUnavailable } from '../../src/service/index.js';
import { call } from '../support/call.js';
import { CONFIDENTIAL, PUBLIC, postJson } from '../support/oauth-client.js';
import { type StartedService, type StartOptions, startService } from '../support/start-service.js';

const LIMIT = 10;

/** The tests' own address is a trusted proxy, so that they can send from several addresses. */
const trustedProxies = new BlockList();
trustedProxies.addSubnet('127.0.0.0', 8, 'ipv4');

const running: StartedService[] = [];

afterEach(async () => {
  for (const service of running.splice(0).reverse()) await service.stop();
});

async function start(options: StartOptions = {}): Promise<StartedService> {
  const settings = { secretFailuresPerMinute: LIMIT, ...options.settings };
  const started = await startService({ ...options, settings, listener: { trustedProxies } });
  running.push(started);
  return started;
}

/** Two instances of the service on one store. */
async function startTwo(): Promise<readonly [StartedService, StartedService]> {
  const first = await start();
  return [first, await start({ wrap: () => first.store })];
}

interface Guess {
  readonly secret: string;
  readonly clientId?: string;
  readonly address?: string;
}

async function introspect(
  started: StartedService,
  { secret, clientId = CONFIDENTIAL.clientId, address = '192.0.2.66' }: Guess,
): Promise<number> {
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${secret}`).toString('base64');
  const headers = { Authorization: `Basic ${basic}`, 'X-Forwarded-For': address };
  return (await postJson(started, '/oauth/introspect', { token: 'x' }, headers)).status;
}

async function readMetrics(started: StartedService, token: string): Promise<number> {
  return (await call(started, '/metrics', token)).status;
}

function countOf(status: number, statuses: readonly number[]): number {
  return statuses.filter((each) => each === status).length;
}

describe('guesses at two instances of one store', () => {
  it('of a client secret fail as often as the limit allows, if sent concurrently', async () => {
    const instances = await startTwo();
    const guesses = Array.from({ length: 200 }, (_, index) =>
      introspect(index % 2 === 0 ? instances[0] : instances[1], { secret: `wrong-${index}` }),
    );
    const statuses = await Promise.all(guesses);
    expect([countOf(401, statuses), countOf(429, statuses)]).toEqual([LIMIT, 190]);
  });

  it('of the administrator token fail as often as the limit allows, if sent concurrently', async () => {
    const instances = await startTwo();
    const guesses = Array.from({ length: 100 }, (_, index) =>
      readMetrics(index % 2 === 0 ? instances[0] : instances[1], `wrong-${index}`),
    );
    const statuses = await Promise.all(guesses);
    expect([countOf(401, statuses), countOf(429, statuses)]).toEqual([LIMIT, 90]);
  });

  it('are counted by the other instance at once, without a synchronization', async () => {
    const [first, other] = await startTwo();
    for (let index = 0; index < LIMIT; index += 1) await introspect(first, { secret: `wrong-${index}` });
    expect(await introspect(other, { secret: 'wrong' })).toBe(429);
    expect(await introspect(other, { secret: CONFIDENTIAL.secret, address: '192.0.2.7' })).toBe(200);
  });
});

describe('a wrong administrator token', () => {
  it('counts towards one limit at all endpoints of the administrator', async () => {
    const started = await start({ settings: { secretFailuresPerMinute: 4 } });
    const requests = [
      () => call(started, '/audiences/evaluate', 'a', {}),
      () => call(started, '/credentials', 'b', {}),
      () => call(started, '/credentials/none', 'c', undefined, 'DELETE'),
      () => call(started, '/metrics', 'd'),
    ];
    const statuses = [];
    for (const request of [...requests, ...requests]) statuses.push((await request()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429]);
  });

  it('does not share its limit with a client named "administrator"', async () => {
    const started = await start({ settings: { secretFailuresPerMinute: 1 } });
    for (let index = 0; index < 5; index += 1)
      await introspect(started, { secret: 'wrong', clientId: 'administrator', address: '127.0.0.1' });
    // This instance has no metrics.
    expect(await readMetrics(started, SANDBOX_ADMINISTRATOR_TOKEN)).toBe(404);
  });
});

describe('a right secret', () => {
  it('does not count as a failure: more concurrent requests than the limit of failures all succeed', async () => {
    const started = await start({ settings: { secretFailuresPerMinute: 2 } });
    const introspectWithSecret = () => introspect(started, { secret: CONFIDENTIAL.secret });
    const statuses = await Promise.all(Array.from({ length: 50 }, introspectWithSecret));
    expect(countOf(200, statuses)).toBe(50);
    for (let index = 0; index < 2; index += 1) await introspect(started, { secret: 'wrong' });
    expect(await introspectWithSecret()).toBe(429);
  });

  it('reserves a unit in the store only the first time, and after a wrong secret', async () => {
    let reservations = 0;
    const countReservations = (store: Store): Store => ({
      ...store,
      reserveUsage: (...parameters) => {
        reservations += 1;
        return store.reserveUsage(...parameters);
      },
    });
    const started = await start({ wrap: countReservations });
    for (let index = 0; index < 20; index += 1) await introspect(started, { secret: CONFIDENTIAL.secret });
    expect(reservations).toBe(1);
    // After a failure in its bucket, each attempt reserves a unit again.
    await introspect(started, { secret: 'wrong' });
    await introspect(started, { secret: CONFIDENTIAL.secret });
    expect(reservations).toBe(3);
  });

  it('is wrong after it was replaced, and counts as wrong', async () => {
    const started = await start({ settings: { secretFailuresPerMinute: 2 } });
    const guess = () => introspect(started, { secret: CONFIDENTIAL.secret });
    expect(await guess()).toBe(200);
    await started.runSql(`update application set secret_hash = '${'x'.repeat(43)}'`);
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
  });
});

describe('guesses spread over many client ids', () => {
  it('are limited per address, at ten times the limit of one client', async () => {
    const started = await start({ settings: { secretFailuresPerMinute: 2 } });
    const statuses = [];
    for (let index = 0; index < 25; index += 1)
      statuses.push(await introspect(started, { secret: 'password', clientId: `client-${index}` }));
    expect([countOf(401, statuses), countOf(429, statuses)]).toEqual([20, 5]);
    expect(await introspect(started, { secret: 'password', address: '192.0.2.7' })).toBe(401);
  });
});

describe('requests without a secret', () => {
  const redeem = async (started: StartedService, clientId: string) => {
    const form = { grant_type: 'authorization_code', client_id: clientId, code: 'x' };
    return (await postJson(started, '/oauth/token', form)).status;
  };
  const withReservationCounter = (count: () => void) => (store: Store) => ({
    ...store,
    reserveUsage: (...parameters: Parameters<Store['reserveUsage']>) => {
      count();
      return store.reserveUsage(...parameters);
    },
  });

  it('for unknown client ids write to the store no more often than the limit of wrong secrets allows', async () => {
    let reservations = 0;
    const wrap = withReservationCounter(() => {
      reservations += 1;
    });
    const started = await start({ settings: { secretFailuresPerMinute: 2 }, wrap });
    const statuses = [];
    for (let index = 0; index < 25; index += 1) statuses.push(await redeem(started, `client-${index}`));
    expect([countOf(401, statuses), countOf(429, statuses), reservations]).toEqual([20, 5, 20]);
  });

  it('of an existing public client reserve one unit and keep it for the next request', async () => {
    let reservations = 0;
    const wrap = withReservationCounter(() => {
      reservations += 1;
    });
    const started = await start({ settings: { secretFailuresPerMinute: 2 }, wrap });
    const statuses = [];
    for (let index = 0; index < 25; index += 1) statuses.push(await redeem(started, PUBLIC.clientId));
    expect([new Set(statuses), reservations]).toEqual([new Set([400]), 1]);
  });
});

describe('a password of the sign-in page', () => {
  it('is limited like any other secret, per name and address', async () => {
    const ada = { id: 'person-ada', name: 'ada', about: '' };
    let verified = 0;
    const signIn = {
      choices: async () => [],
      verify: async (sent: ReadonlyMap<string, string>) => {
        verified += 1;
        return sent.get('password') === 'right' ? ada : undefined;
      },
    };
    const started = await start({ settings: { secretFailuresPerMinute: 3 }, options: { signIn } });
    const { origin } = new URL(started.url);
    const page = await fetch(`${origin}/sign-in`);
    const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const [, proof = ''] = /name="proof" value="([^"]+)"/.exec(await page.text()) ?? [];
    const signInAs = async (person: string, password: string, address = '192.0.2.66') => {
      const { status } = await fetch(`${origin}/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie, Origin: origin, 'X-Forwarded-For': address },
        body: new URLSearchParams({ proof, person, password }),
      });
      return status;
    };
    const guesses = Array.from({ length: 20 }, (_, index) => signInAs('ada', `wrong-${index}`));
    expect([countOf(429, await Promise.all(guesses)), verified]).toEqual([17, 3]);
    expect([await signInAs('ada', 'right'), await signInAs('bruno', 'right')]).toEqual([429, 303]);
    expect(await signInAs('ada', 'right', '192.0.2.7')).toBe(303);
  });
});

describe('if the store cannot count', () => {
  it('no secret is compared that the instance does not remember', async () => {
    let compared = 0;
    const failReservations = (store: Store): Store => ({
      ...store,
      reserveUsage: () => Promise.reject(new StoreUnavailable('away')),
      findApplication: (clientId) => {
        compared += 1;
        return store.findApplication(clientId);
      },
    });
    const started = await start({ wrap: failReservations });
    expect(await introspect(started, { secret: CONFIDENTIAL.secret })).toBe(503);
    expect(compared).toBe(0);
  });

  it('attempts do not exhaust the limit of the address, and are all answered with 503', async () => {
    const started = await start({
      settings: { secretFailuresPerMinute: 2 },
      wrap: (store) => ({ ...store, reserveUsage: () => Promise.reject(new StoreUnavailable('away')) }),
    });
    const statuses = [];
    for (let index = 0; index < 25; index += 1)
      statuses.push(await introspect(started, { secret: 'x', clientId: `client-${index}` }));
    expect(new Set(statuses)).toEqual(new Set([503]));
  });
});
