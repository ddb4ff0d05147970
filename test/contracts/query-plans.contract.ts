/** Contract of the check of query plans, run for every adapter: it rejects statements whose cost grows with the store. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/service/index.js';
import { fillGrowingTables, findPlanFaults, type PlannedDatabase } from './query-plans.js';

/** A store of an adapter, and its database. */
export interface FilledStore {
  readonly store: Store;
  readonly database: PlannedDatabase;
}

const CLIENT_ID = 'client';
/** An instant before which most grants of `fillGrowingTables` were changed. */
const LATE = 18_000;

/** Statements of earlier versions whose cost grew with the store, in the syntax of PostgreSQL. */
const GROWING_STATEMENTS: readonly {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}[] = [
  { name: 'all people, to find one by pairwise identifier', text: 'select * from "person"' },
  {
    name: 'an application’s grants by a computed status',
    text: `select "id", "person_id", "updated_at", CASE WHEN status IN ($1, $2) AND NOT (status IN ($3) AND code_expires_at <= $4) THEN 1 ELSE 0 END as "active"
      from "authorization_record" where "client_id" = $5 and "person_id" is not null and "granted_scopes" is not null
      and CASE WHEN status IN ($6, $7) AND NOT (status IN ($8) AND code_expires_at <= $9) THEN 1 ELSE 0 END = $10
      order by "updated_at", "id" limit $11`,
    values: ['approved', 'consumed', 'approved', 1, CLIENT_ID, 'approved', 'consumed', 'approved', 1, 0, 51],
  },
  {
    name: 'a late page of an application’s grants',
    text: `select "id", "person_id", "updated_at" from "authorization_record"
      where "client_id" = $1 and "person_id" is not null and "granted_scopes" is not null
      and ("updated_at" > $2 or ("updated_at" = $3 and "id" > $4)) order by "updated_at", "id" limit $5`,
    values: [CLIENT_ID, LATE, LATE, 'x', 51],
  },
  {
    name: 'entries of an application',
    text: 'select * from "audit_entry" where "client_id" = $1 order by "at", "position" limit $2',
    values: ['absent', 500],
  },
  {
    name: 'entries of a kind',
    text: 'select * from "audit_entry" where "kind" in ($1) order by "at", "position" limit $2',
    values: ['client_refused', 500],
  },
  {
    name: 'entries of a query since an instant',
    text: 'select * from "audit_entry" where "at" >= $1 and "query_hash" = $2 order by "at", "position" limit $3',
    values: [1, 'absent', 500],
  },
  {
    name: 'values under other keys',
    text: `select count(*) as count from "credential" where substr("claims", 1, 11) <> 'proviso:one'`,
  },
  { name: 'the number of people', text: 'select count(*) as "count" from "person"' },
];

/** Statements of earlier versions about one person for which SQLite, without statistics, chose an index that is not limited to that person. */
const GROWING_ON_SQLITE: typeof GROWING_STATEMENTS = [
  {
    name: 'grants of one person',
    text: `select "id", "person_id", "updated_at" from "authorization_record"
      where "client_id" = $1 and "person_id" is not null and "granted_scopes" is not null and "person_id" = $2
      order by "updated_at", "id" limit $3`,
    values: [CLIENT_ID, 'bulk-7', 51],
  },
  {
    name: 'withdrawal of the grants of one person',
    text: `update "authorization_record" set "revoked_at" = $1 where "client_id" = $2 and "person_id" = $3 and "status" in ($4, $5) returning "id"`,
    values: [1, CLIENT_ID, 'bulk-7', 'approved', 'consumed'],
  },
];

/** @param open - Opens an empty store. */
export function describePlanCheck(
  name: string,
  engine: 'sqlite' | 'postgres',
  open: () => Promise<FilledStore>,
): void {
  describe(`the check of query plans on ${name}`, () => {
    let database: PlannedDatabase;

    beforeAll(async () => {
      const { store, database: opened } = await open();
      database = opened;
      const application = { name: 'C', organizationId: 'o', redirectUris: [], scopes: [] };
      await store.upsertApplication({
        ...application,
        clientId: CLIENT_ID,
        idTokenAlgorithm: 'ES256',
        createdAt: 1,
      });
      await store.close();
      await fillGrowingTables(database, CLIENT_ID);
    });

    const statements = [...GROWING_STATEMENTS, ...(engine === 'sqlite' ? GROWING_ON_SQLITE : [])];
    it.each(statements)('rejects a statement of growing cost: $name', async ({ text, values = [] }) => {
      const statement = { text: engine === 'sqlite' ? text.replace(/\$(\d+)/g, '?$1') : text, values };
      expect(await findPlanFaults(database, [statement], CLIENT_ID)).not.toEqual([]);
    });

    it('accepts a statement that reads one person', async () => {
      const text = `select * from person where id = ${engine === 'sqlite' ? '?' : '$1'}`;
      expect(await findPlanFaults(database, [{ text, values: ['bulk-7'] }], CLIENT_ID)).toEqual([]);
    });
  });
}
