/** Registration of applications: unique ids, secrets and flags (V2, V7). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApplicationsError,
  createServiceCatalogue,
  parseApplications,
  registerApplication,
  revokeApplication,
  rotateClientSecret,
  type Store,
  TOKEN_ENDPOINT_AUTH_METHODS,
} from '../../../src/service/index.js';
import { openSqliteStore } from '../../../src/stores/sqlite/index.js';
import { systemClock } from '../../../src/system/clock.js';
import { systemDigest, systemRandom } from '../../../src/system/node-ports.js';
import { createFixedClock } from '../../support/fixed-clock.js';

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-applications-'));
  store = await openSqliteStore(join(folder, 'store.sqlite'));
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

// V2, V7
it('exactly one of several concurrent registrations of an id succeeds, with the stored secret', async () => {
  const ports = { store, clock: systemClock, random: systemRandom, digest: systemDigest };
  const request = {
    clientId: 'at-once',
    name: 'At once',
    redirectUris: ['https://once.example/back'],
    scopes: ['kyc:read'],
    authentication: 'secret',
  } as const;
  const catalogue = createServiceCatalogue();
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => registerApplication(request, { ...ports, catalogue })),
  );
  const registered = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const rejected = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect([registered.length, rejected.every((reason) => reason instanceof ApplicationsError)]).toEqual([
    1,
    true,
  ]);
  const hash = systemDigest.sha256(registered[0]?.clientSecret ?? '');
  expect((await store.findApplication('at-once'))?.secretHash).toBe(hash);
});

// S185
it.each(['a revocation', 'a new secret'])(
  '%s keeps properties of the application that another program changes at the same time',
  async (change) => {
    const application = {
      clientId: `changed-by-${change}`,
      name: 'Before',
      organizationId: 'o',
      redirectUris: ['https://before.example/back'],
      scopes: ['kyc:read'],
      idTokenAlgorithm: 'ES256' as const,
      secretHash: 'before',
      createdAt: 1,
    };
    const after = { ...application, name: 'After', redirectUris: ['https://after.example/back'] };
    await store.insertApplication(application);
    /** The other program changes the application after each read and before each update. */
    const concurrent: Store = {
      ...store,
      findApplication: async (clientId) => {
        const found = await store.findApplication(clientId);
        await store.upsertApplication(after);
        return found;
      },
      updateApplication: async (...parameters) => {
        await store.upsertApplication(after);
        return await store.updateApplication(...parameters);
      },
    };
    const ports = {
      store: concurrent,
      clock: createFixedClock(2),
      random: systemRandom,
      digest: systemDigest,
    };
    if (change === 'a revocation') await revokeApplication(application.clientId, ports);
    const secret =
      change === 'a new secret' ? await rotateClientSecret(application.clientId, ports) : undefined;
    expect(await store.findApplication(application.clientId)).toMatchObject({
      name: after.name,
      redirectUris: after.redirectUris,
      updatedAt: 2,
      ...(secret === undefined ? { revokedAt: 2 } : { secretHash: systemDigest.sha256(secret) }),
    });
  },
);

// S268
it.each([
  [undefined, undefined],
  [false, undefined],
  [true, true],
])('an application with `require_pushed_authorization_requests: %s` has the flag %s', (flag, required) => {
  const application = { client_id: 'a', name: 'A', organization_id: 'o', redirect_uris: [], scopes: [] };
  const described = {
    ...application,
    ...(flag === undefined ? {} : { require_pushed_authorization_requests: flag }),
  };
  const [read] = parseApplications({ applications: [described] }, createServiceCatalogue(), (hash) => hash);
  expect(read?.requirePushedAuthorizationRequests).toBe(required);
});

// S268
it('an application whose `require_pushed_authorization_requests` is not a boolean is rejected', () => {
  const application = { client_id: 'a', name: 'A', organization_id: 'o', redirect_uris: [], scopes: [] };
  const applications = [{ ...application, require_pushed_authorization_requests: 'true' }];
  expect(() => parseApplications({ applications }, createServiceCatalogue(), (hash) => hash)).toThrow(
    '`require_pushed_authorization_requests` must be `true` or `false`. (at /applications/0/require_pushed_authorization_requests)',
  );
});

// S343
it('an applications file may limit evidence to one of the levels', () => {
  const application = { client_id: 'a', name: 'A', organization_id: 'o', redirect_uris: [], scopes: [] };
  const read = (max_evidence: unknown) =>
    parseApplications(
      { applications: [{ ...application, max_evidence }] },
      createServiceCatalogue(),
      (hash) => hash,
    );
  expect(read('none')[0]?.maxEvidence).toBe('none');
  expect(read(undefined)[0]).not.toHaveProperty('maxEvidence');
  expect(() => read('some')).toThrow('`max_evidence` must be one of `full`, `checks`, `none`.');
});

// S281
it('an applications file may have only a boolean for `dpop_bound_access_tokens`', () => {
  const described = (flag: unknown) => ({
    client_id: 'file',
    name: 'File',
    organization_id: 'org-file',
    redirect_uris: ['https://file.example/back'],
    scopes: ['kyc:read'],
    ...(flag === undefined ? {} : { dpop_bound_access_tokens: flag }),
  });
  const read = (flag: unknown) =>
    parseApplications({ applications: [described(flag)] }, createServiceCatalogue(), (hash) => hash)[0];
  expect(read(true)).toMatchObject({ dpopBoundAccessTokens: true });
  for (const flag of [false, undefined]) expect(read(flag)).not.toHaveProperty('dpopBoundAccessTokens');
  for (const flag of ['true', 1, []]) {
    expect(() => read(flag)).toThrow('`dpop_bound_access_tokens` must be `true` or `false`.');
  }
});

describe('the parser of an applications file', () => {
  /** The JSON Pointers of the problems of an application. */
  const problemsOf = (members: object) => {
    const application = { client_id: 'a', name: 'A', organization_id: 'o', redirect_uris: [], scopes: [] };
    try {
      parseApplications({ applications: [{ ...application, ...members }] }, createServiceCatalogue(), String);
    } catch (error) {
      if (error instanceof ApplicationsError) return error.problems.map(({ pointer }) => pointer);
      throw error;
    }
    return [];
  };
  const key = { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' };

  it.each([undefined, ...TOKEN_ENDPOINT_AUTH_METHODS])(
    'reports a malformed `jwks` or `secret_sha256` once, with the authentication method %s',
    (token_endpoint_auth_method) => {
      const method = token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method };
      for (const keys of [
        [],
        [{ ...key, y: undefined }],
        [key, { ...key, d: 'AAAA' }],
        [{ kty: 'oct', k: 'AAAA' }],
      ])
        expect(problemsOf({ jwks: { keys }, ...method })).toEqual(['/applications/0/jwks']);
      expect(problemsOf({ secret_sha256: 'AAAA', ...method })).toEqual(['/applications/0/secret_sha256']);
    },
  );

  // S131
  it('rejects a `client_id` that starts like a subject', () => {
    expect(problemsOf({ client_id: 'usr_a' })).toEqual(['/applications/0/client_id']);
    expect(problemsOf({ client_id: 'a_usr_' })).toEqual([]);
  });

  it('rejects an application without `redirect_uris` or `scopes`, which may be empty', () => {
    expect(problemsOf({ redirect_uris: undefined, scopes: undefined })).toEqual([
      '/applications/0',
      '/applications/0',
    ]);
    expect(problemsOf({ redirect_uris: [], scopes: [] })).toEqual([]);
  });

  it('reports a repeated `client_id` also if the first application has another problem', () => {
    const application = { client_id: 'a', organization_id: 'o', redirect_uris: [], scopes: [] };
    const applications = [application, { ...application, name: 'A' }];
    expect(() => parseApplications({ applications }, createServiceCatalogue(), String)).toThrow(
      '`a` must not be defined twice.',
    );
  });

  it('rejects `private_key_jwt` without `jwks`', () => {
    expect(problemsOf({ jwks: { keys: [key] }, token_endpoint_auth_method: 'private_key_jwt' })).toEqual([]);
    expect(problemsOf({ token_endpoint_auth_method: 'private_key_jwt' })).toEqual([
      '/applications/0/token_endpoint_auth_method',
    ]);
  });
});

// S384
it.each([
  ['an https URL', 'https://a.example/logo.png', 'must be a data URL'],
  ['HTML', 'data:text/html;base64,AAAA', 'must be a data URL'],
  ['an image that is not in Base64', 'data:image/svg+xml,<svg/>', 'must be a data URL'],
  ['parameters', 'data:image/png;charset=x;base64,AAAA', 'must be a data URL'],
  ['more than 8,192 characters', `data:image/png;base64,${'A'.repeat(8_192)}`, 'at most 8192'],
])('a logo with %s is rejected', (_what, logo, reason) => {
  const application = { client_id: 'a', name: 'A', organization_id: 'o', redirect_uris: [], scopes: [] };
  const parse = () =>
    parseApplications(
      { applications: [{ ...application, logo_uri: logo }] },
      createServiceCatalogue(),
      String,
    );
  expect(parse).toThrow(ApplicationsError);
  expect(parse).toThrow(reason);
});
