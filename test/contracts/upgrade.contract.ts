/** What a store that an earlier version wrote promises once it is migrated, for every adapter to run. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/service/index.js';
import type { StoreDialect } from '../../src/stores/migrate.js';

/** An empty place for a store, and a way to write there what no store of ours would. */
export interface EmptyPlace {
  readonly dialect: StoreDialect;
  runSql(text: string): Promise<unknown>;
  open(): Promise<Store>;
}

const MIGRATIONS = fileURLToPath(new URL('../../src/stores/migrations/', import.meta.url));
/** Of the first version that was released: the schema version, and the last of its migrations. */
const FIRST_RELEASE = { version: 7, lastMigration: '0009' };

const APPLICATION = `INSERT INTO application
  (client_id, name, organization_id, redirect_uris, scopes, id_token_algorithm, created_at, revoked_at)`;

const CONTENTS = [
  `${APPLICATION} VALUES ('harbour', 'Harbour', 'o', '["https://a.example/cb","https://a.example/b/c?d=/","http://[::1]:80","https://b.example?e=/f"]', '["openid"]', 'ES256', 1, NULL)`,
  `${APPLICATION} VALUES ('old', 'Old', 'o', '["https://old.example/cb"]', '[]', 'ES256', 1, 2)`,
  `${APPLICATION} VALUES ('bare', 'Bare', 'o', '[]', '[]', 'ES256', 1, NULL)`,
  `INSERT INTO person (id, name, about, email) VALUES ('p', 'zoe', '', 'zoe@people.example')`,
  `INSERT INTO authorization_record (id, client_id, person_id, status, redirect_uri, requested_scopes, granted_scopes, created_at,
    request_expires_at, updated_at, approved_at) VALUES ('a', 'harbour', 'p', 'consumed', 'r', '["openid"]', '["openid"]', 1, 1, 1, 1)`,
];

/** Writes a store as the first release left it. */
async function writeFirstRelease({ dialect, runSql }: EmptyPlace): Promise<void> {
  const files = readdirSync(MIGRATIONS)
    .filter((name) => name.slice(0, 4) <= FIRST_RELEASE.lastMigration)
    .filter((name) => !/\.(?:sqlite|postgres)\.sql$/.test(name) || name.endsWith(`.${dialect}.sql`))
    .sort();
  for (const name of files) await runSql(readFileSync(`${MIGRATIONS}${name}`, 'utf8'));
  await runSql('CREATE TABLE schema_version (version BIGINT NOT NULL)');
  await runSql(`INSERT INTO schema_version VALUES (${FIRST_RELEASE.version})`);
  for (const statement of CONTENTS) await runSql(statement);
}

/** @param newPlace - Of an empty store. */
export function describeUpgrade(name: string, newPlace: () => Promise<EmptyPlace>): void {
  describe(`a store of the first release on ${name}`, () => {
    it('knows the origins of its applications, and finds and indexes their grants, once it is migrated (V13)', async () => {
      const place = await newPlace();
      await writeFirstRelease(place);
      const store = await place.open();
      const origins = [
        'https://a.example',
        'http://[::1]:80',
        'https://b.example',
        'https://old.example',
        'https:',
        'https://a.example/cb',
      ];
      expect(await Promise.all(origins.map((origin) => store.isRegisteredOrigin(origin)))).toEqual([
        true,
        true,
        true,
        false,
        false,
        false,
      ]);
      const grant = { authorizationId: 'a', userId: 'p', scopes: ['openid'] };
      const email = { by: 'email', value: 'zoe@people.example' } as const;
      expect(await store.findActiveGrant('harbour', email, 1)).toEqual(grant);
      const subject = { sector: 's', hash: 'h' };
      expect(await store.findActiveGrant('harbour', { by: 'subject', subject }, 1)).toBeUndefined();
      const unindexed = await store.listUnindexedGrants('harbour', 's', 10);
      expect(unindexed).toEqual([{ authorizationId: 'a', userId: 'p' }]);
      await store.indexGrants([{ authorizationId: 'a', subject }]);
      expect(await store.findActiveGrant('harbour', { by: 'subject', subject }, 1)).toEqual(grant);
      await store.close();
    });
  });
}
