/** Contract of opening a store, run for every adapter: the cost does not depend on the number of people. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store, ValueCipher } from '../../src/service/index.js';
import { cipherOf } from '../support/encryption-keys.js';
import {
  type CapturedStatement,
  fillGrowingTables,
  findPlanFaults,
  type PlannedDatabase,
} from './query-plans.js';

/** An empty store that can be opened repeatedly. */
export interface ReopenedStore {
  readonly database: PlannedDatabase;
  readonly open: (cipher?: ValueCipher) => Promise<Store>;
}

/** The indexes of encrypted values. */
export const SEALED_INDEXES = [
  'sealed_person',
  'sealed_credential',
  'sealed_pushed_request',
  'sealed_authorization',
  'sealed_access_token',
  'sealed_learned',
  'sealed_inference',
  'sealed_request',
] as const;

const CLIENT_ID = 'client';

/** @param createStore - Creates an empty store that can be opened repeatedly. */
export function describeOpening(name: string, createStore: () => Promise<ReopenedStore>): void {
  describe(`the opening of a store on ${name}`, () => {
    let database: PlannedDatabase;
    let statements: readonly CapturedStatement[];

    beforeAll(async () => {
      const created = await createStore();
      database = created.database;
      const store = await created.open();
      await store.upsertApplication({
        ...{ clientId: CLIENT_ID, name: 'C', organizationId: 'o', redirectUris: [], scopes: [] },
        ...{ idTokenAlgorithm: 'ES256', createdAt: 1 },
      });
      await store.close();
      await fillGrowingTables(database, CLIENT_ID);
      const capture = database.capture();
      // Opens without keys first: opening with keys records a key, without which the store then cannot be opened.
      await (await created.open()).close();
      await (await created.open(cipherOf('one'))).close();
      capture.stop();
      statements = capture.statements();
    });

    // S490
    it('uses no full scan of growing tables, with and without keys', async () => {
      expect(await findPlanFaults(database, statements, CLIENT_ID)).toEqual([]);
    });

    // S490
    it('searches each growing table for encrypted values by an index', async () => {
      for (const index of SEALED_INDEXES) await database.run(`drop index ${index}`);
      await database.gatherStatistics();
      const faults = await findPlanFaults(database, statements, CLIENT_ID);
      expect(new Set(faults.map(({ text }) => text)).size).toBe(SEALED_INDEXES.length);
    });
  });
}
