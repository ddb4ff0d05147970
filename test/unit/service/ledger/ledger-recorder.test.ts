/** The facts that the recorder of the ledger keeps in memory: when they are read again, and when they are removed (S417, S418). */
import { expect, it } from 'vitest';
import { compile, formatInstant } from '../../../../src/index.js';
import type { LearnedRecord } from '../../../../src/service/index.js';
import { createLedgerRecorder, parseFact } from '../../../../src/service/ledger/ledger-recorder.js';
import { systemDigest } from '../../../../src/system/node-ports.js';

const QUERY = compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } }, { catalogue: 'none' });
const NONE = { claimsUsed: [], checkResults: [] };

/** Rows as a store keeps them. */
function createRows() {
  const rows = new Map<string, LearnedRecord>();
  return {
    rows,
    listLearned: async () => [...rows.values()],
    write: async (records: readonly LearnedRecord[]) => {
      for (const record of records) {
        const { firstAt, lastAt, changes } = rows.get(record.entry) ?? { ...record, changes: 0 };
        const merged = {
          firstAt,
          lastAt: Math.max(lastAt, record.lastAt),
          changes: changes + record.changes,
        };
        rows.set(record.entry, { ...record, ...merged });
      }
    },
  };
}

// S418
it('a process notices within a minute what another one recorded or deleted', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const [one, other] = [createLedgerRecorder(ports), createLedgerRecorder(ports)];
  const answer = async (recorder: typeof one, passed: boolean, at: number) => {
    const [evaluatedAt, expiresAt] = [formatInstant(at), formatInstant(at + 300_000)];
    const result = JSON.stringify({ type: 'predicate', passed, evaluatedAt, evidence: NONE, expiresAt });
    await recorder.recordResult({ authorizationId: 'a' }, QUERY, result, at);
  };
  const latest = () => [...store.rows.values()].sort((a, b) => b.lastAt - a.lastAt)[0]?.detail;
  await answer(one, true, 1);
  await answer(other, false, 2);
  await answer(one, true, 60_001);
  expect(latest()).toContain('"passed":true');
  store.rows.clear();
  await answer(one, true, 120_001);
  expect(latest()).toContain('"passed":true');
});

// S418
it('a change of an answer is counted once if two processes, and several requests of each, notice it', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const recorders = [createLedgerRecorder(ports), createLedgerRecorder(ports)];
  for (const [at, passed] of [
    [1_000, true],
    [2_000, false],
    [3_000, true],
  ] as const)
    for (const recorder of recorders)
      await Promise.all(
        [at, at + 1, at + 2].map((now) =>
          recorder.record({ authorizationId: 'a' }, [{ query: '{}', passed }], now),
        ),
      );
  expect([...store.rows.values()].map(({ detail, changes }) => [detail, changes])).toEqual([
    ['{"query":"{}","passed":true}', 1],
    ['{"query":"{}","passed":false}', 1],
  ]);
});

// S418
it('a change of an answer is counted once if one response discloses it twice', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const recorder = createLedgerRecorder(ports);
  const answer = (passed: boolean) => ({ query: '{}', passed });
  await recorder.record({ authorizationId: 'a' }, [answer(true)], 1_000);
  await recorder.record({ authorizationId: 'a' }, [answer(false), answer(false)], 2_000);
  expect([...store.rows.values()].map(({ detail, changes }) => [detail, changes])).toEqual([
    ['{"query":"{}","passed":true}', 0],
    ['{"query":"{}","passed":false}', 1],
  ]);
});

// S418
it('a change of an answer that another process recorded first is counted', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const [one, other] = [createLedgerRecorder(ports), createLedgerRecorder(ports)];
  const learn = (recorder: typeof one, query: string, passed: boolean, at: number) =>
    recorder.record({ authorizationId: 'a' }, [{ query, passed }], at);
  // Both processes have read the grant.
  await learn(one, '{}', true, 1_000);
  await learn(other, '{}', true, 1_001);
  await learn(one, '[]', true, 2_000);
  await learn(other, '[]', false, 3_000);
  await learn(one, '[]', false, 4_000);
  expect([...store.rows.values()].map(({ detail, changes }) => [detail, changes])).toEqual([
    ['{"query":"{}","passed":true}', 0],
    ['{"query":"[]","passed":true}', 0],
    ['{"query":"[]","passed":false}', 1],
  ]);
});

// S418
it('a process records again what another one deleted, if its clock was set back since it read the ledger', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const recorder = createLedgerRecorder(ports);
  const learn = (at: number) => recorder.record({ authorizationId: 'a' }, [{ value: 'identity.age' }], at);
  await learn(10 * 60 * 60 * 1_000);
  store.rows.clear();
  await learn(60 * 60 * 1_000);
  expect(store.rows.size).toBe(1);
});

// S417
it('once the facts of a grant are too long, the claims of a query are recorded instead of the query; the least recently used grants are removed from a full memory', async () => {
  const records: LearnedRecord[] = [];
  const reads: string[] = [];
  const recorder = createLedgerRecorder({
    store: {
      listLearned: async (ids) => {
        reads.push(...ids);
        return [];
      },
    },
    writer: { write: async (written) => void records.push(...written) },
    digest: systemDigest,
    key: 'key',
    claimsOf: () => ['identity.country'],
  });
  const learn = async (authorizationId: string, number: number) => {
    const value = [`${number}`.padEnd(60_000, 'x')];
    await recorder.record(
      { authorizationId },
      [
        {
          query: JSON.stringify({ check: { claim: 'identity.country', operator: 'in', value } }),
          passed: true,
        },
      ],
      1,
    );
  };
  for (let number = 0; number < 10; number += 1) await learn('first', number);
  expect(records.filter(({ detail }) => 'query' in parseFact(detail))).toHaveLength(5);
  expect(records.at(-1)).toMatchObject({ detail: '{"moreAbout":"identity.country"}' });
  // Together more than 32 Mi code units.
  const others = Array.from({ length: 120 }, (_, index) => `other-${index}`);
  for (const other of others) for (let number = 0; number < 5; number += 1) await learn(other, number);
  expect(reads).toEqual(['first', ...others]);
  await learn('other-119', 0);
  await learn('first', 0);
  expect(reads).toEqual(['first', ...others, 'first']);
});

// S417
it('keeps results of a grant up to a total length in memory, and recognizes a repetition of others by their facts', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const recorder = createLedgerRecorder(ports);
  const [evaluatedAt, expiresAt] = [formatInstant(1), formatInstant(300_001)];
  const claimsUsed = [{ path: 'identity.age', value: 'x'.repeat(10_000), credentialId: 'c' }];
  const evidence = { claimsUsed, checkResults: [] };
  const result = JSON.stringify({ type: 'predicate', passed: true, evaluatedAt, evidence, expiresAt });
  const record = (query: typeof QUERY) => recorder.recordResult({ authorizationId: 'a' }, query, result, 1);
  const other = compile(
    { check: { claim: 'identity.age', operator: '>=', value: 21 } },
    { catalogue: 'none' },
  );
  await record(QUERY);
  await record(other);
  expect(store.rows.size).toBe(1);
  store.rows.clear();
  expect(record(QUERY)).toBeUndefined();
  const repeated = record(other);
  expect(repeated).toBeInstanceOf(Promise);
  await repeated;
  expect(store.rows.size).toBe(0);
});
