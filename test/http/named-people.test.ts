/** Looking up people reveals nothing about people without a grant, and no address that the grant does not cover (S121–S130). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { re2js } from '../../src/regex/re2js.js';
import { createSettings, PRODUCTION, prepareService, type Store } from '../../src/service/index.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { createCachingSigner } from '../support/cached-signing-keys.js';
import { postJson, type Tokens } from '../support/oauth-client.js';
import {
  CLIENT,
  DEPLOYMENT_KEY,
  grantFor,
  IRIS,
  LENDER,
  OTTO,
  startDeployment,
} from '../support/production-deployment.js';
import { createSeededRandom } from '../support/seeded-random.js';
import type { StartedService } from '../support/start-service.js';

const NOBODY = { email: 'nobody@people.example', evmAddress: `0x${'0'.repeat(40)}` };

let started: StartedService;
let calls: string[];

/** Records the names of the store's methods that are called. */
function recordCalls(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (typeof name === 'string') calls.push(name);
      return Reflect.get(target, name) as unknown;
    },
  });
}

beforeEach(async () => {
  calls = [];
  started = await startDeployment(recordCalls);
});

afterEach(() => started.stop());

interface UserTokenResult {
  readonly status: number;
  readonly text: string;
  readonly calls: readonly string[];
}

async function requestUserToken(selector: object): Promise<UserTokenResult> {
  calls.length = 0;
  const response = await postJson(started, '/oauth/client/user-token', { ...CLIENT, ...selector });
  return { status: response.status, text: await response.text(), calls: [...calls] };
}

describe('a client that requests a token for a person', () => {
  it('finds the person by e-mail and wallet if the grant covers these claims', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid identity:read');
    for (const selector of [{ email: IRIS.email }, { evm_address: IRIS.evmAddress }, { user_id: subject }])
      expect((await requestUserToken(selector)).status).toBe(200);
  });

  it('gets the response for unknown people for an address that the grant does not cover, but finds the person by pairwise id', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid kyc:read');
    const refused = [
      await requestUserToken({ email: IRIS.email }),
      await requestUserToken({ email: NOBODY.email }),
      await requestUserToken({ identifier: `email|${IRIS.email}` }),
      await requestUserToken({ evm_address: IRIS.evmAddress }),
      await requestUserToken({ evm_address: NOBODY.evmAddress }),
      await requestUserToken({ identifier: `wallet|${IRIS.evmAddress}` }),
    ];
    expect(new Set(refused.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(refused[0]).toMatchObject({ status: 404, text: expect.stringContaining('"E4046"') as string });
    expect((await requestUserToken({ user_id: subject })).status).toBe(200);
  });

  it('uses the grant that covers the address, even if a later one does not; and the latest one for a pairwise id', async () => {
    const covering = await grantFor(started, IRIS.name, 'openid identity:read');
    started.clock.moveTo(started.clock.now() + 1_000);
    const latest = await grantFor(started, IRIS.name, 'openid kyc:read');
    const grantUsedBy = async (selector: Record<string, string>) =>
      (JSON.parse((await requestUserToken(selector)).text) as Tokens).authorization_id;
    expect(await grantUsedBy({ email: IRIS.email })).toBe(covering.authorization_id);
    expect(await grantUsedBy({ evm_address: IRIS.evmAddress })).toBe(covering.authorization_id);
    expect(await grantUsedBy({ user_id: latest.app_scoped_user_id })).toBe(latest.authorization_id);
  });

  it('causes no lookup by an address that none of its scopes covers', async () => {
    await started.store.upsertApplication({ ...LENDER, scopes: ['openid', 'kyc:read'] });
    await grantFor(started, IRIS.name, 'openid kyc:read');
    for (const selector of [{ email: IRIS.email }, { evm_address: IRIS.evmAddress }])
      expect(await requestUserToken(selector)).toMatchObject({ status: 404, calls: ['findApplication'] });
  });

  it('causes the same store calls for a person without a grant as for an unknown person', async () => {
    const stranger = started.service.people.subjectOf(LENDER.organizationId, OTTO.id);
    const pairs = [
      [{ email: OTTO.email }, { email: NOBODY.email }],
      [{ evm_address: OTTO.evmAddress }, { evm_address: NOBODY.evmAddress }],
      [{ user_id: stranger }, { user_id: 'usr_nobody' }],
      [{ identifier: `id|${stranger}` }, { identifier: 'id|usr_nobody' }],
    ] as const;
    for (const [known, unknown] of pairs) {
      const [first, second] = [await requestUserToken(known), await requestUserToken(unknown)];
      expect(first).toEqual(second);
      expect(first.calls).toEqual(['findApplication', 'findActiveGrant']);
    }
  });
});

describe('grants without a current index of pairwise ids', () => {
  /** Prepares a second service on the same store, as a restart does. */
  async function prepareAgain(key = DEPLOYMENT_KEY) {
    const ports = {
      store: started.store,
      clock: started.clock,
      random: createSeededRandom('again'),
      digest: systemDigest,
      signer: createCachingSigner(),
      verifier: systemCredentialVerifier,
      regex: re2js,
    };
    return (await prepareService(ports, PRODUCTION, { key }))(createSettings(started.url));
  }

  it('written by an earlier version are indexed when the service is prepared', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid kyc:read');
    await started.runSql('UPDATE authorization_record SET subject_sector = NULL, subject_hash = NULL');
    expect((await requestUserToken({ user_id: subject })).status).toBe(404);
    await prepareAgain();
    expect((await requestUserToken({ user_id: subject })).status).toBe(200);
  });

  it('whose application changed its organization are indexed for the new one', async () => {
    const before = await grantFor(started, IRIS.name, 'openid kyc:read');
    await started.store.upsertApplication({ ...LENDER, organizationId: 'org-merged' });
    expect((await requestUserToken({ user_id: before.app_scoped_user_id })).status).toBe(404);
    await prepareAgain();
    expect((await requestUserToken({ user_id: before.app_scoped_user_id })).status).toBe(404);
    const after = await requestUserToken({
      user_id: started.service.people.subjectOf('org-merged', IRIS.id),
    });
    expect(after.status).toBe(200);
    expect((JSON.parse(after.text) as Tokens).authorization_id).toBe(before.authorization_id);
  });

  it('written under an earlier key are indexed under the current key', async () => {
    await grantFor(started, IRIS.name, 'openid kyc:read');
    const nextService = await prepareAgain('n'.repeat(43));
    const value = nextService.people.subjectOf(LENDER.organizationId, IRIS.id);
    const application = await started.store.findApplication(LENDER.clientId);
    if (application === undefined) throw new Error('the application is not registered');
    expect(await nextService.tokens.issueUserToken([{ by: 'id', value }], application)).toMatchObject({
      scopes: ['openid', 'kyc:read'],
    });
  });
});

it('the store does not contain pairwise ids', async () => {
  const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid kyc:read');
  const contents = await started.contents();
  expect(contents).toContain(IRIS.id);
  expect(contents).not.toContain(subject.slice('usr_'.length));
});

describe('a browser of another origin', () => {
  it('may call the service while an active application has a redirect URI at its origin', async () => {
    const allowed = async (origin: string) => {
      calls.length = 0;
      const response = await fetch(`${started.url}/presets`, { headers: { Origin: origin } });
      expect(calls).not.toContain('listApplications');
      return response.headers.get('access-control-allow-origin');
    };
    const { origin } = new URL(LENDER.redirectUris[0] ?? '');
    expect(await allowed(origin)).toBe(origin);
    for (const other of ['https:', 'https://elsewhere.example', origin.slice(0, -1), `${origin}:8443`])
      expect(await allowed(other)).toBeNull();
    await started.store.upsertApplication({ ...LENDER, redirectUris: ['https://new.example/cb'] });
    expect([await allowed(origin), await allowed('https://new.example')]).toEqual([
      null,
      'https://new.example',
    ]);
    await started.store.upsertApplication({ ...LENDER, revokedAt: 2 });
    expect(await allowed('https://new.example')).toBeNull();
  });
});
