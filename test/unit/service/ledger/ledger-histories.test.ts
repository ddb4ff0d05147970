/** Random histories of answers: the ledger equals a recomputation from the test's own record (S360–S363). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ClaimSet,
  canonicalText,
  compile,
  formatInstant,
  type PolicyItem,
  parse,
  re2js,
} from '../../../../src/index.js';
import type { LearnedRecord } from '../../../../src/service/index.js';
import { toLedger } from '../../../../src/service/ledger/ledger.js';
import { createLedgerRecorder, parseFact } from '../../../../src/service/ledger/ledger-recorder.js';
import { systemDigest } from '../../../../src/system/node-ports.js';
import { type ReceivedAnswer, recomputeLedger } from '../../../support/ledger-model.js';

const age = (operator: string, value: number) => ({ check: { claim: 'identity.age', operator, value } });
const country = (operator: string, value: unknown) => ({
  check: { claim: 'identity.country', operator, value },
});
const QUERIES = [
  ...[age('>=', 18), age('>=', 30), age('<', 35), age('==', 31), country('in', ['PT', 'ES'])],
  ...[country('==', 'PT'), { policy: { anyOf: [age('>=', 21), country('==', 'FR')] } }],
].map((query) => compile(parse(query) as PolicyItem, { regex: re2js, catalogue: 'none' }));
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

const step = fc.record({
  query: fc.nat({ max: QUERIES.length - 1 }),
  /** Whether the person's claims change before. */
  claims: fc.option(fc.tuple(fc.integer({ min: 16, max: 40 }), fc.constantFrom('PT', 'ES', 'FR', 'DE')), {
    freq: 5,
    nil: undefined,
  }),
  ms: fc.constantFrom(2, 1_000, 600_000, 3_599_998, 3_600_000, 90_000_000),
  restarted: fc.nat({ max: 9 }).map((number) => number === 0),
});

/** `npm run check -- ledger` runs more. */
const RUNS = Number(process.env['PROVISO_TEST_HISTORIES'] ?? 500);

// S363
it('the ledger equals a recomputation from all answers, in random histories', async () => {
  const counts = { changes: 0, knowing: 0 };
  const histories = fc.array(step, { minLength: 1, maxLength: 14, size: 'max' });
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const store = createRows();
      const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
      let recorder = createLedgerRecorder(ports);
      let [years, place] = [20, 'PT'];
      let at = 1_000_000;
      const received: ReceivedAnswer[] = [];
      for (const { query, claims, ms, restarted } of steps) {
        at += ms;
        if (claims !== undefined) [years, place] = claims;
        if (restarted) recorder = createLedgerRecorder(ports);
        const compiled = QUERIES[query] as (typeof QUERIES)[number];
        const passed = compiled.test(ClaimSet.of({ 'identity.age': years, 'identity.country': place }));
        const [evaluatedAt, expiresAt] = [formatInstant(at), formatInstant(at + 300_000)];
        const result = JSON.stringify({ type: 'predicate', passed, evaluatedAt, evidence: NONE, expiresAt });
        await recorder.recordResult({ authorizationId: 'a' }, compiled, result, at);
        received.push({ query: canonicalText(compiled.query), passed, at, restarted });
      }
      const facts = [...store.rows.values()].map(({ detail, ...rest }) => ({
        ...rest,
        fact: parseFact(detail),
      }));
      const ledger = toLedger(facts, re2js);
      expect(ledger).toEqual(recomputeLedger(received));
      for (const { query, lastAt } of ledger.answers) {
        const last = received.filter((one) => one.query === query).at(-1)?.at ?? 0;
        expect(last - lastAt).toBeGreaterThanOrEqual(0);
        expect(last - lastAt).toBeLessThan(3_600_000);
      }
      counts.changes += ledger.answers.reduce((sum, { changes }) => sum + changes, 0);
      counts.knowing += ledger.inferred.filter(({ values }) => !values.undefined).length;
    }),
    { numRuns: RUNS, seed: 30 },
  );
  expect(counts.changes).toBeGreaterThan(RUNS / 2);
  expect(counts.knowing).toBeGreaterThan(RUNS / 2);
}, 600_000);

// S418
it('a process notices within a minute what another one recorded or deleted', async () => {
  const store = createRows();
  const ports = { store, writer: store, digest: systemDigest, key: 'key', claimsOf: () => [] };
  const [one, other] = [createLedgerRecorder(ports), createLedgerRecorder(ports)];
  const query = QUERIES[0] as (typeof QUERIES)[number];
  const answer = async (recorder: typeof one, passed: boolean, at: number) => {
    const [evaluatedAt, expiresAt] = [formatInstant(at), formatInstant(at + 300_000)];
    const result = JSON.stringify({ type: 'predicate', passed, evaluatedAt, evidence: NONE, expiresAt });
    await recorder.recordResult({ authorizationId: 'a' }, query, result, at);
  };
  const latest = () => [...store.rows.values()].sort((a, b) => b.lastAt - a.lastAt)[0]?.detail;
  await answer(one, true, 1);
  await answer(other, false, 2);
  await answer(one, true, 60_001);
  expect(latest()).toContain('"passed":true');
  store.rows.clear();
  other.forget();
  await answer(one, true, 120_001);
  expect(latest()).toContain('"passed":true');
});

// S417
it('long queries are recorded by their claims beyond a length, and grants are removed from memory, the least recently used first', async () => {
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
      [{ query: JSON.stringify(country('in', value)), passed: true }],
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
