/**
 * Simplified statements of the most frequent operations, without key binding, conditions and the audit log, run directly on the drivers: a lower
 * bound for the time of the same operations of a store.
 */
import type Libsql from 'libsql';
import type pg from 'pg';

type Value = string | number | null;

/** Runs one statement and returns its rows. */
type Run = (text: string, values: readonly Value[]) => Promise<readonly unknown[]>;

/** Runs operations on a driver. Redemption and rotation run in one transaction each. */
export interface RawStore {
  redeem(codeHash: string, accessHash: string, refreshHash: string): Promise<boolean>;
  rotate(fromHash: string, toHash: string, accessHash: string): Promise<boolean>;
  lookUp(tokenHash: string): Promise<boolean>;
}

const REDEEM = `update authorization_record set status = ?, updated_at = ?, last_token_issued_at = ?
  where code_hash = ? and client_id = ? and redirect_uri = ? and code_challenge = ? and status in (?) and code_expires_at > ?
  returning *`;
const INSERT_ACCESS = `insert into access_token
  (token_hash, authorization_id, family_id, scopes, issued_at, expires_at, revoked_at) values (?, ?, ?, ?, ?, ?, ?)`;
const INSERT_REFRESH = `insert into refresh_token
  (token_hash, authorization_id, family_id, generation, issued_at, expires_at, rotated_at, revoked_at)
  values (?, ?, ?, ?, ?, ?, ?, ?)`;
const ROTATE = `update refresh_token set rotated_at = ? where token_hash = ? and rotated_at is null and revoked_at is null
  and expires_at > ? and exists (select a.id from authorization_record as a
  where a.id = refresh_token.authorization_id and a.client_id = ?) returning *`;
const TOUCH = `update authorization_record set last_token_issued_at = ?, updated_at = ? where id = ? and status in (?, ?)
  and exists (select c.client_id from application as c
  where c.client_id = authorization_record.client_id and c.revoked_at is null)`;
const LOOK_UP = `select t.issued_at, t.expires_at, t.revoked_at, t.scopes, a.status, a.person_id, a.client_id, t.authorization_id,
  c.organization_id, c.revoked_at as application_revoked_at
  from access_token as t inner join authorization_record as a on a.id = t.authorization_id
  inner join application as c on c.client_id = a.client_id where t.token_hash = ?`;

export const AT = 1_780_000_000_000;
export const LATER = AT + 1_000_000;
export const CHALLENGE = 'challenge'.padEnd(43, '_');

export function createLibsqlStore(file: Libsql.Database): RawStore {
  const prepared = new Map<string, Libsql.Statement>();
  const run: Run = async (text, values) => {
    const statement = prepared.get(text) ?? file.prepare(text);
    prepared.set(text, statement);
    if (statement.reader) return statement.all(values) as unknown[];
    statement.run(values);
    return [];
  };
  return createRawStore(run, async (work) => {
    file.exec('begin immediate');
    try {
      const result = await work(run);
      file.exec('commit');
      return result;
    } finally {
      if (file.inTransaction) file.exec('rollback');
    }
  });
}

export function createPgStore(pool: pg.Pool): RawStore {
  const names = new Map<string, { readonly name: string; readonly text: string }>();
  const named = (text: string) => {
    let position = 0;
    const found = names.get(text) ?? {
      name: `raw_${names.size}`,
      text: text.replaceAll('?', () => {
        position += 1;
        return `$${position}`;
      }),
    };
    names.set(text, found);
    return found;
  };
  const runOn =
    (client: pg.Pool | pg.PoolClient): Run =>
    async (text, values) =>
      (await client.query({ ...named(text), values: [...values] })).rows as unknown[];
  return createRawStore(runOn(pool), async (work) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(runOn(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // Closes the connection, which ends the transaction.
      client.release(true);
      throw error;
    }
  });
}

function createRawStore(
  run: Run,
  inTransaction: (work: (run: Run) => Promise<boolean>) => Promise<boolean>,
): RawStore {
  return {
    redeem: (codeHash, accessHash, refreshHash) =>
      inTransaction(async (runStatement) => {
        const proof = [codeHash, 'client', 'r', CHALLENGE, 'approved', AT];
        const [row] = (await runStatement(REDEEM, ['consumed', AT, AT, ...proof])) as { id: string }[];
        if (row === undefined) return false;
        await runStatement(INSERT_ACCESS, [accessHash, row.id, row.id, '["openid"]', AT, LATER, null]);
        await runStatement(INSERT_REFRESH, [refreshHash, row.id, row.id, 1, AT, LATER, null, null]);
        return true;
      }),
    rotate: (fromHash, toHash, accessHash) =>
      inTransaction(async (runStatement) => {
        const [row] = (await runStatement(ROTATE, [AT, fromHash, AT, 'client'])) as {
          authorization_id: string;
          family_id: string;
          generation: number | string;
        }[];
        if (row === undefined) return false;
        const { authorization_id: id, family_id: family, generation } = row;
        await runStatement(TOUCH, [AT, AT, id, 'approved', 'consumed']);
        await runStatement(INSERT_REFRESH, [
          toHash,
          id,
          family,
          Number(generation) + 1,
          AT,
          LATER,
          null,
          null,
        ]);
        await runStatement(INSERT_ACCESS, [accessHash, id, family, '["openid"]', AT, LATER, null]);
        return true;
      }),
    lookUp: async (tokenHash) => (await run(LOOK_UP, [tokenHash])).length === 1,
  };
}
