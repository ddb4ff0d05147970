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

/** Records which methods of the store are called. */
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

interface Asked {
  readonly status: number;
  readonly text: string;
  readonly calls: readonly string[];
}

async function ask(selector: object): Promise<Asked> {
  calls.length = 0;
  const response = await postJson(started, '/oauth/client/user-token', { ...CLIENT, ...selector });
  return { status: response.status, text: await response.text(), calls: [...calls] };
}

describe('a client that names a person', () => {
  it('finds by e-mail and wallet whom its grant lets it know these of', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid identity:read');
    for (const selector of [{ email: IRIS.email }, { evm_address: IRIS.evmAddress }, { user_id: subject }])
      expect((await ask(selector)).status).toBe(200);
  });

  it('finds by neither whom its grant does not, in the words for somebody unknown; by the pairwise id it does', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid kyc:read');
    const refused = [
      await ask({ email: IRIS.email }),
      await ask({ email: NOBODY.email }),
      await ask({ identifier: `email|${IRIS.email}` }),
      await ask({ evm_address: IRIS.evmAddress }),
      await ask({ evm_address: NOBODY.evmAddress }),
      await ask({ identifier: `wallet|${IRIS.evmAddress}` }),
    ];
    expect(new Set(refused.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(refused[0]).toMatchObject({ status: 404, text: expect.stringContaining('"E4046"') as string });
    expect((await ask({ user_id: subject })).status).toBe(200);
  });

  it('uses the grant that covers the address where a later one does not, and the latest one by the pairwise id', async () => {
    const covering = await grantFor(started, IRIS.name, 'openid identity:read');
    started.clock.moveTo(started.clock.now() + 1_000);
    const latest = await grantFor(started, IRIS.name, 'openid kyc:read');
    const used = async (selector: Record<string, string>) =>
      (JSON.parse((await ask(selector)).text) as Tokens).authorization_id;
    expect(await used({ email: IRIS.email })).toBe(covering.authorization_id);
    expect(await used({ evm_address: IRIS.evmAddress })).toBe(covering.authorization_id);
    expect(await used({ user_id: latest.app_scoped_user_id })).toBe(latest.authorization_id);
  });

  it('has nobody looked up by an address that no scope of its covers', async () => {
    await started.store.recordApplication({ ...LENDER, scopes: ['openid', 'kyc:read'] });
    await grantFor(started, IRIS.name, 'openid kyc:read');
    for (const selector of [{ email: IRIS.email }, { evm_address: IRIS.evmAddress }])
      expect(await ask(selector)).toMatchObject({ status: 404, calls: ['findApplication'] });
  });

  it('has the same asked of the store for a person who granted it nothing as for nobody', async () => {
    const stranger = started.service.people.subjectOf(LENDER.organizationId, OTTO.id);
    const pairs = [
      [{ email: OTTO.email }, { email: NOBODY.email }],
      [{ evm_address: OTTO.evmAddress }, { evm_address: NOBODY.evmAddress }],
      [{ user_id: stranger }, { user_id: 'usr_nobody' }],
      [{ identifier: `id|${stranger}` }, { identifier: 'id|usr_nobody' }],
    ] as const;
    for (const [known, unknown] of pairs) {
      const [first, second] = [await ask(known), await ask(unknown)];
      expect(first).toEqual(second);
      expect(first.calls).toEqual(['findApplication', 'findActiveGrant']);
    }
  });
});

describe('grants that are not indexed by pairwise id', () => {
  /** Prepares a service once more on the same store, as a start of the program does. */
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

  it('as those of an earlier version, are indexed when the service is prepared', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid kyc:read');
    await started.runSql('UPDATE authorization_record SET subject_sector = NULL, subject_hash = NULL');
    expect((await ask({ user_id: subject })).status).toBe(404);
    await prepareAgain();
    expect((await ask({ user_id: subject })).status).toBe(200);
  });

  it('for the organization that an application has now, are indexed for that one', async () => {
    const before = await grantFor(started, IRIS.name, 'openid kyc:read');
    await started.store.recordApplication({ ...LENDER, organizationId: 'org-merged' });
    expect((await ask({ user_id: before.app_scoped_user_id })).status).toBe(404);
    await prepareAgain();
    expect((await ask({ user_id: before.app_scoped_user_id })).status).toBe(404);
    const after = await ask({ user_id: started.service.people.subjectOf('org-merged', IRIS.id) });
    expect(after.status).toBe(200);
    expect((JSON.parse(after.text) as Tokens).authorization_id).toBe(before.authorization_id);
  });

  it('under the key that the deployment has now, are indexed under that one', async () => {
    await grantFor(started, IRIS.name, 'openid kyc:read');
    const again = await prepareAgain('n'.repeat(43));
    const value = again.people.subjectOf(LENDER.organizationId, IRIS.id);
    const application = await started.store.findApplication(LENDER.clientId);
    if (application === undefined) throw new Error('the application is registered');
    expect(await again.tokens.issueUserToken([{ by: 'id', value }], application)).toMatchObject({
      scopes: ['openid', 'kyc:read'],
    });
  });

  it('hold nothing from which the pairwise id could be read', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, 'openid kyc:read');
    const contents = await started.contents();
    expect(contents).toContain(IRIS.id);
    expect(contents).not.toContain(subject.slice('usr_'.length));
  });
});

describe('an origin', () => {
  it('may call from a browser as long as an application in force has a redirect URI there', async () => {
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
    await started.store.recordApplication({ ...LENDER, redirectUris: ['https://new.example/cb'] });
    expect([await allowed(origin), await allowed('https://new.example')]).toEqual([
      null,
      'https://new.example',
    ]);
    await started.store.recordApplication({ ...LENDER, revokedAt: 2 });
    expect(await allowed('https://new.example')).toBeNull();
  });
});
