/** Evaluates audiences on a DuckDB copy of the store's people and credentials (V14). Requires the optional package `@duckdb/node-api`. */
import { existsSync } from 'node:fs';
import type { Credential } from '../../engine/index.js';
import type { Store } from '../../service/ports/store/store.js';
import { SERVICE_STORE_LAYOUT, toCandidateSql } from '../../sql/index.js';
import { NO_SEALING } from '../sealing/sealing.js';
import { toCredential } from '../statements/rows.js';

/** The store methods that an audience needs. */
export type AudienceReader = Pick<
  Store,
  'estimatePeople' | 'listPersonIds' | 'narrowAudience' | 'readCredentialsOf' | 'close'
>;

type Value = string | number | bigint | null;

/**
 * Opens a file with the store's tables `person` and `credential`, read-only.
 *
 * @throws {Error} If the file does not exist, is not a DuckDB file or lacks a table, if its claims are encrypted, or if `@duckdb/node-api` is
 *   not installed.
 */
export async function openDuckdbAudience(path: string): Promise<AudienceReader> {
  if (!existsSync(path)) throw new Error('the file does not exist');
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect().catch((error: unknown) => {
    instance.closeSync();
    throw error;
  });
  const rowsOf = async (text: string, values: readonly Value[] = []) =>
    (await connection.runAndReadAll(text, [...values])).getRowObjects() as Record<string, Value>[];
  const close = async () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await rowsOf('SELECT id FROM person LIMIT 0');
    const [sealed] = await rowsOf(
      `SELECT 1 FROM credential WHERE starts_with(CAST(claims AS VARCHAR), 'enc:') LIMIT 1`,
    );
    if (sealed !== undefined)
      throw new Error(
        'its claims are encrypted: copy them decrypted, or evaluate the audience on the original store',
      );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    estimatePeople: async () =>
      Number((await rowsOf('SELECT count(*) AS count FROM person'))[0]?.['count'] ?? 0),
    listPersonIds: async (after, limit) => {
      const rows = await rowsOf(
        'SELECT id FROM person WHERE $1 IS NULL OR id > $1 ORDER BY id LIMIT CAST($2 AS BIGINT)',
        [after ?? null, limit],
      );
      return rows.map(({ id }) => String(id));
    },
    narrowAudience: async ({ query, among, at, derived }) => {
      const { text, parameters, problems } = toCandidateSql(query, {
        dialect: 'duckdb',
        layout: SERVICE_STORE_LAYOUT,
        now: at,
        among,
        missingClaims: derived,
      });
      const rows = await rowsOf(text, parameters);
      return { userIds: rows.map(({ id }) => String(id)), exact: problems.length === 0 };
    },
    readCredentialsOf: async (userIds) => {
      const rows = await rowsOf(
        `SELECT id, person_id, source, issued_at, expires_at, revoked_at, claims FROM credential
        WHERE person_id IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
        [JSON.stringify(userIds)],
      );
      const byPerson = new Map<string, Credential[]>();
      for (const row of rows) {
        const userId = String(row['person_id']);
        const own = byPerson.get(userId) ?? [];
        byPerson.set(userId, own);
        own.push(toStoredCredential(row, userId));
      }
      return byPerson;
    },
    close,
  };
}

function toStoredCredential(row: Readonly<Record<string, Value>>, userId: string): Credential {
  return toCredential(
    {
      id: String(row['id']),
      person_id: userId,
      source: String(row['source']),
      issued_at: Number(row['issued_at']),
      expires_at: instantOf(row['expires_at']),
      revoked_at: instantOf(row['revoked_at']),
      claims: String(row['claims']),
    },
    NO_SEALING,
  );
}

function instantOf(value: Value | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
