/** Rewrites a SQLite file, so that no deleted or overwritten value remains in it. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.js';

/**
 * Rewrites the file and truncates its write-ahead log, since SQLite keeps old values in free pages.
 *
 * @throws {Error} With the code `SQLITE_BUSY` if another program keeps the write-ahead log from being truncated.
 */
export async function rewriteFile(database: Kysely<Schema>): Promise<void> {
  await sql`vacuum`.execute(database);
  if (!(await truncateWal(database)))
    throw Object.assign(
      new Error(
        'the write-ahead log cannot be truncated while another program reads the file: stop that program and try again',
      ),
      // As if the statement had failed instead of returning `busy`.
      { code: 'SQLITE_BUSY' },
    );
}

/** About six seconds in total while another program reads the file all the time. */
const MAX_ATTEMPTS = 25;
const BUSY_TIMEOUT_MS = 200;
const WAIT_MS = 50;

/**
 * Truncates the write-ahead log. Returns `false` if other programs prevented it. Sets SQLite's own busy timeout: a checkpoint that another program
 * blocks returns `busy` instead of failing, so the connection does not retry it. A checkpoint also returns `busy`, without waiting, while another
 * program runs a checkpoint: after a rewrite, each commit of a service starts one, since the log is long.
 */
async function truncateWal(database: Kysely<Schema>): Promise<boolean> {
  return await database.connection().execute(async (connection) => {
    const before = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = ${sql.lit(BUSY_TIMEOUT_MS)}`.execute(connection);
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection);
        if (rows[0]?.busy === 0) return true;
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      }
      return false;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(before.rows[0]?.timeout)}`.execute(connection);
    }
  });
}
