/** Background sealing of the audit log: timing of its steps, and completeness when it stops (S449). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  AuditChainError,
  type AuditEntry,
  createAuditChain,
  type Store,
  startAuditSealer,
  verifyAudit,
} from '../../../../src/service/index.js';
import { openSqliteStore } from '../../../../src/stores/sqlite/index.js';
import { systemDigest } from '../../../../src/system/node-ports.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createManualTimer } from '../../../support/manual-timer.js';

const AT = 1_780_000_000_000;
const chain = createAuditChain('key', systemDigest);
const clock = createFixedClock(AT);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-seal-'));
  store = await openSqliteStore(join(folder, 'store.sqlite'));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const record = (count: number) =>
  store.recordAudit(
    Array.from({ length: count }, (_, index): AuditEntry => ({ at: AT + index, kind: 'client_refused' })),
  );
const unexpected = (error: unknown) => expect.unreachable(String(error));
const verify = () => verifyAudit({ store, chain, clock });

it('the audit sealer seals step by step while there is a backlog, and then once a second', async () => {
  await record(501);
  const { timer, pending, fire } = createManualTimer();
  const stop = startAuditSealer({ store, chain, clock, timer, onFailure: unexpected });
  expect(pending.map(({ ms }) => ms)).toEqual([1_000]);
  fire();
  await expect.poll(() => pending.map(({ ms }) => ms)).toEqual([10]);
  expect(await verify()).toEqual({ seals: 1, entries: 500, unsealed: 1 });
  fire();
  await expect.poll(() => pending.map(({ ms }) => ms)).toEqual([1_000]);
  expect(await verify()).toEqual({ seals: 2, entries: 501, unsealed: 0 });
  await stop();
});

it('the audit sealer seals the remaining entries when it stops, and creates no empty seal', async () => {
  const { timer, pending } = createManualTimer();
  const stop = startAuditSealer({ store, chain, clock, timer, onFailure: unexpected });
  await record(1_200);
  await stop();
  expect(pending).toEqual([]);
  expect(await verify()).toEqual({ seals: 3, entries: 1_200, unsealed: 0 });
  await startAuditSealer({ store, chain, clock, timer, onFailure: unexpected })();
  expect(await verify()).toEqual({ seals: 3, entries: 1_200, unsealed: 0 });
});

it('the audit sealer reports a chain that it must not continue, and retries after a minute', async () => {
  await record(1);
  const { timer, pending, fire } = createManualTimer();
  await startAuditSealer({ store, chain, clock, timer, onFailure: unexpected })();
  await record(1);
  const failures: unknown[] = [];
  const stop = startAuditSealer({
    store,
    chain: createAuditChain('another key', systemDigest),
    clock,
    timer,
    onFailure: (error) => failures.push(error),
  });
  fire();
  await expect.poll(() => pending.map(({ ms }) => ms)).toEqual([60_000]);
  expect(failures).toEqual([expect.any(AuditChainError)]);
  expect(failures[0]).toMatchObject({ code: 'AUDIT_CHAIN' });
  await stop();
  expect(failures).toHaveLength(2);
  expect(await verify()).toEqual({ seals: 1, entries: 1, unsealed: 1 });
});
