/** Random histories of answers, on every adapter of the store: the ledger equals a recomputation from the test's own record (S360–S364). */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ClaimSet,
  canonicalText,
  compile,
  formatInstant,
  type PolicyItem,
  parse,
  re2js,
} from '../../src/index.js';
import { createLedgerWriter, type Store } from '../../src/service/index.js';
import { createLedger } from '../../src/service/ledger/ledger.js';
import { createLedgerRecorder } from '../../src/service/ledger/ledger-recorder.js';
import { systemDigest, systemSetImmediate } from '../../src/system/node-ports.js';
import { type ReceivedAnswer, recomputeLedger } from '../support/ledger-model.js';

const age = (operator: string, value: number) => ({ check: { claim: 'identity.age', operator, value } });
const country = (operator: string, value: unknown) => ({
  check: { claim: 'identity.country', operator, value },
});
const QUERIES = [
  ...[age('>=', 18), age('>=', 30), age('<', 35), age('==', 31), country('in', ['PT', 'ES'])],
  ...[country('==', 'PT'), { policy: { anyOf: [age('>=', 21), country('==', 'FR')] } }],
].map((query) => compile(parse(query) as PolicyItem, { regex: re2js, catalogue: 'none' }));
const GRANT = { authorizationId: 'history', clientId: 'client', userId: 'person' };
const NONE = { claimsUsed: [], checkResults: [] };

const step = fc.record({
  query: fc.nat({ max: QUERIES.length - 1 }),
  /** The person's new claims, if they change before this answer. */
  claims: fc.option(fc.tuple(fc.integer({ min: 16, max: 40 }), fc.constantFrom('PT', 'ES', 'FR', 'DE')), {
    freq: 5,
    nil: undefined,
  }),
  ms: fc.constantFrom(2, 1_000, 600_000, 3_599_998, 3_600_000, 90_000_000),
  restarted: fc.nat({ max: 9 }).map((number) => number === 0),
  deleted: fc.nat({ max: 19 }).map((number) => number === 0),
});

/** `npm run check -- ledger` runs more. */
const RUNS = Number(process.env['PROVISO_TEST_HISTORIES'] ?? 100);

/** Stores a grant that all histories share. */
async function grant(store: Store): Promise<void> {
  const { clientId, userId } = GRANT;
  await store.seedOnce({
    applications: [
      {
        ...{ clientId, name: 'A', organizationId: 'o', redirectUris: [], scopes: [] },
        ...{ idTokenAlgorithm: 'ES256', createdAt: 1 },
      },
    ],
    people: [{ person: { id: userId, name: userId, about: '' }, credentials: [] }],
  });
  await store.recordDirectGrant({
    ...GRANT,
    subject: { sector: 'o', hash: 'person-at-o' },
    scopes: [],
    token: { tokenHash: 'h'.repeat(43), scopes: [], issuedAt: 1, expiresAt: Number.MAX_SAFE_INTEGER },
  });
}

/** @param open - Opens an empty store. */
export function describeLedger(name: string, open: () => Promise<Store>): void {
  describe(`the ledger on ${name}`, () => {
    let store: Store;

    beforeAll(async () => {
      store = await open();
      await grant(store);
    });

    afterAll(() => store.close());

    // S360, S363, S364
    it('equals a recomputation from all answers since the last deletion, in random histories', async () => {
      const counts = { changes: 0, inferences: 0, deletions: 0 };
      const writer = createLedgerWriter(store, systemSetImmediate);
      const createRecorder = () =>
        createLedgerRecorder({ store, writer, digest: systemDigest, key: 'key', claimsOf: () => [] });
      const histories = fc.array(step, { minLength: 1, maxLength: 14, size: 'max' });
      const property = fc.asyncProperty(histories, async (steps) => {
        let recorder = createRecorder();
        const ledgerOf = () => createLedger({ store, ledger: recorder, regex: re2js });
        await ledgerOf().delete(GRANT.userId);
        let [years, place] = [20, 'PT'];
        let at = 1_000_000;
        let received: ReceivedAnswer[] = [];
        for (const { query, claims, ms, restarted, deleted } of steps) {
          at += ms;
          if (claims !== undefined) [years, place] = claims;
          if (restarted) recorder = createRecorder();
          if (deleted) {
            counts.deletions += await ledgerOf().delete(GRANT.userId, GRANT.clientId);
            received = [];
          }
          const compiled = QUERIES[query] as (typeof QUERIES)[number];
          const passed = compiled.test(ClaimSet.of({ 'identity.age': years, 'identity.country': place }));
          const [evaluatedAt, expiresAt] = [formatInstant(at), formatInstant(at + 300_000)];
          const result = JSON.stringify({
            type: 'predicate',
            passed,
            evaluatedAt,
            evidence: NONE,
            expiresAt,
          });
          await recorder.recordResult(GRANT, compiled, result, at);
          received.push({ query: canonicalText(compiled.query), passed, at, restarted });
        }
        const ledger = (await ledgerOf().read(GRANT.userId, at)).get(GRANT.clientId);
        expect(ledger).toEqual(recomputeLedger(received));
        for (const { query, lastAt } of ledger?.answers ?? []) {
          const last = received.filter((one) => one.query === query).at(-1)?.at ?? 0;
          expect(last - lastAt).toBeGreaterThanOrEqual(0);
          expect(last - lastAt).toBeLessThan(3_600_000);
        }
        counts.changes += ledger?.answers.reduce((sum, { changes }) => sum + changes, 0) ?? 0;
        counts.inferences += ledger?.inferred.filter(({ values }) => !values.undefined).length ?? 0;
      });
      await fc.assert(property, { numRuns: RUNS, seed: 30 });
      expect(counts.changes).toBeGreaterThan(RUNS / 2);
      expect(counts.inferences).toBeGreaterThan(RUNS / 2);
      expect(counts.deletions).toBeGreaterThan(RUNS / 2);
    }, 3_600_000);
  });
}
