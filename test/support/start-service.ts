/** A real server on a free port, over a real SQLite file, with a clock that stands still. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '../../src/http/index.js';
import { re2js } from '../../src/regex/re2js.js';
import { createService, SANDBOX, type Service, type Store } from '../../src/service/index.js';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { systemDigest } from '../../src/system/digest.js';
import { createFixedClock, type FixedClock } from './fixed-clock.js';
import { createSeededRandom } from './seeded-random.js';

export interface StartedService {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly service: Service;
  readonly clock: FixedClock;
  /** What the service reported as its own failures. */
  readonly failures: readonly unknown[];
  /** How often credentials were read from the store. */
  readonly credentialReads: () => number;
  readonly token: (user: string, ...scopes: string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Noon of a day on which nobody in the sandbox has a birthday. */
export const STARTED_AT = Date.UTC(2026, 5, 1, 12);

/** @param wrap - Stands between the service and its store, to watch it or to break it. */
export async function startService(
  wrap: (store: Store) => Store = (store) => store,
): Promise<StartedService> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-http-'));
  const clock = createFixedClock(STARTED_AT);
  const sqlite = await openSqliteStore(join(folder, 'store.sqlite'));
  let reads = 0;
  const store = wrap({
    ...sqlite,
    readCredentials: (userId) => {
      reads += 1;
      return sqlite.readCredentials(userId);
    },
  });
  const random = createSeededRandom('http');
  const service = await createService({ store, clock, random, digest: systemDigest, regex: re2js }, SANDBOX);
  const failures: unknown[] = [];
  let requests = 0;
  const server = createServer(service, {
    createRequestId: () => `request-${++requests}`,
    onFailure: (error) => failures.push(error),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v2`,
    port,
    server,
    service,
    clock,
    failures,
    credentialReads: () => reads,
    token: (user, ...scopes) => service.grantSandboxToken(user, scopes),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sqlite.close();
      rmSync(folder, { recursive: true });
    },
  };
}
