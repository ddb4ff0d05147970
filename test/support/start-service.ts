/** Starts a server on a free port with a real store and a fixed clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type ListenerOptions, requestListener } from '../../src/http/index.js';
import { re2js } from '../../src/regex/re2js.js';
import {
  createAuditTrail,
  createLedgerWriter,
  createSettings,
  type Environment,
  prepareService,
  SANDBOX,
  type Service,
  type ServiceOptions,
  type Settings,
  type Store,
} from '../../src/service/index.js';
import { systemClientAssertions } from '../../src/system/assertion-verifier.js';
import { systemClock } from '../../src/system/clock.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { systemDpopProofs } from '../../src/system/dpop-verifier.js';
import { systemDigest, systemSetImmediate } from '../../src/system/node-ports.js';
import { createCachingSigner } from './cached-signing-keys.js';
import { recordUndocumented } from './documented-responses.js';
import { createFixedClock, type FixedClock } from './fixed-clock.js';
import { openTestStore, type TestStore, type TestStoreOptions } from './open-test-store.js';
import { createSeededRandom } from './seeded-random.js';

export interface StartedService {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly service: Service;
  /** The store itself, without the wrapper of {@link StartOptions.wrap}. */
  readonly store: Store;
  readonly clock: FixedClock;
  /** Failures that the service reported. */
  readonly failures: readonly unknown[];
  /** Returns how often the service has read credentials from the store. */
  readonly credentialReads: () => number;
  /** Issues a sandbox token. */
  readonly token: (person: string, ...scopes: string[]) => Promise<string>;
  /** Stops the server and removes the store. @throws {Error} If a response was not documented in the OpenAPI document. */
  readonly stop: () => Promise<void>;
  readonly runSql: TestStore['runSql'];
  readonly contents: TestStore['contents'];
}

/** Noon, in UTC, of a day that is not the birthday of a sample person. */
export const STARTED_AT = Date.UTC(2026, 5, 1, 12);

export interface StartOptions {
  /** Wraps the store, to observe or break it. */
  readonly wrap?: (store: Store) => Store;
  readonly settings?: Partial<Omit<Settings, 'issuer'>>;
  readonly environment?: Partial<Environment>;
  readonly options?: ServiceOptions;
  /** Options of the store; with `audit`, the service also records reads and rejections. */
  readonly store?: TestStoreOptions;
  /** Whether the service supports DPoP (default: true). */
  readonly dpop?: boolean;
  /** Whether the ledger records what applications learn. */
  readonly ledger?: boolean;
  /** Further options of the server. */
  readonly listener?: Partial<ListenerOptions>;
}

export async function startService({
  wrap = (store) => store,
  settings = {},
  environment = {},
  options: serviceOptions = {},
  listener = {},
  dpop = true,
  ledger = false,
  store: storeOptions = {},
}: StartOptions = {}): Promise<StartedService> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-http-'));
  const clock = createFixedClock(STARTED_AT);
  const { store: opened, runSql, contents, remove } = await openTestStore(folder, storeOptions);
  let reads = 0;
  const store = wrap({
    ...opened,
    readCredentials: (userId) => {
      reads += 1;
      return opened.readCredentials(userId);
    },
  });
  const random = createSeededRandom('http');
  const ports = {
    store,
    clock,
    random,
    digest: systemDigest,
    signer: createCachingSigner(),
    verifier: systemCredentialVerifier,
    clientAssertions: systemClientAssertions,
    ...(dpop ? { dpopProofs: systemDpopProofs } : {}),
    regex: re2js,
    ...(storeOptions.audit === true ? { audit: createAuditTrail(store, systemSetImmediate) } : {}),
    ...(ledger ? { ledgerWriter: createLedgerWriter(store, systemSetImmediate) } : {}),
  };
  const build = await prepareService(ports, { ...SANDBOX, ...environment }, serviceOptions);
  const failures: unknown[] = [];
  let requests = 0;
  const options = {
    createRequestId: () => `request-${++requests}`,
    onFailure: (error: unknown) => failures.push(error),
    clock: systemClock,
    ...listener,
  };
  const server = createServer(options);
  const undocumented = recordUndocumented(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const service = build(createSettings(`http://127.0.0.1:${port}/v2`, settings));
  server.on('request', requestListener(service, options));
  return {
    url: `http://127.0.0.1:${port}/v2`,
    port,
    server,
    service,
    store: opened,
    clock,
    failures,
    credentialReads: () => reads,
    token: (person, ...scopes) => service.tokens.issueSandboxToken(person, scopes),
    runSql,
    contents,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await remove();
      rmSync(folder, { recursive: true });
      if (undocumented.length > 0) throw new Error(`undocumented responses:\n${undocumented.join('\n')}`);
    },
  };
}
