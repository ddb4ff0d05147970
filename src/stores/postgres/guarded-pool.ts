/** Connections to PostgreSQL that tell a commit from what only looks like one, and are thrown away once they are in doubt (S189, S191). */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { assertBindable } from '../bindable.js';

/** How long anything is waited for. Every wait has an end, so that a request has one (S189). */
export interface Timeouts {
  /** For a free connection, or a new one. */
  readonly connectMs: number;
  /** For a statement, by the server's clock. */
  readonly statementMs: number;
  /** For another transaction to let go of a row. */
  readonly lockMs: number;
  /** For a server that no longer says anything. */
  readonly responseMs: number;
}

/** How a transaction begins, whatever the database's default: our statements compare and set, and need no more (S188). */
const BEGIN = 'begin isolation level read committed';
const IDLE_TIMEOUT_MS = 30_000;
const INT8 = 20;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Classes of SQLSTATE in which the connection itself has ended: connection exceptions, and the server's shutting down. */
const CONNECTION_CLOSED = /^(?:08|57P)/;

/**
 * A pool in the form that the dialect expects.
 *
 * @param url - Where the database is; what it says of timeouts holds over `waits`.
 */
export function openGuardedPool(url: string, maxConnections: number, timeouts: Timeouts): PostgresPool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: timeouts.connectMs,
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.responseMs,
    query_timeout: timeouts.responseMs,
    connectionString: url,
    max: maxConnections,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'proviso',
    types: { getTypeParser },
  });
  // An idle connection that ends has left the pool already; unheard, its error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const names = new Map<string, string>();
  return { connect: async () => guardClient(await pool.connect(), names), end: () => pool.end() };
}

/** @param names - Of the statements that are prepared, for the whole pool. */
function guardClient(client: pg.PoolClient, names: Map<string, string>): PostgresPoolClient {
  let isBroken = false;
  const query = async <Row>(text: string, parameters: readonly unknown[]) => {
    if (isBroken) throw new Error('the connection is closed after an earlier failure');
    const values = parameters.map(assertBindable);
    try {
      const result = await client.query(toQuery(text, values, names));
      assertCommitted(text, result.command);
      return {
        command: result.command,
        rowCount: result.rowCount ?? 0,
        rows: result.rows,
      } as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      isBroken ||= breaksConnection(error);
      throw error;
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => client.release(isBroken) };
}

/**
 * Statements that name their columns are parsed and planned once a connection. Those that ask for whatever columns there are would fail
 * for ever after a newer program has added one.
 */
function toQuery(text: string, values: unknown[], names: Map<string, string>): pg.QueryConfig {
  if (text === 'begin') return { text: BEGIN };
  if (values.length === 0 || text.includes('*')) return { text, values };
  const name = names.get(text) ?? `proviso_${names.size}`;
  names.set(text, name);
  return { name, text, values };
}

/** PostgreSQL answers a commit of what has failed with a rollback, and not with an error. */
function assertCommitted(text: string, command: string): void {
  if (text === 'commit' && command !== 'COMMIT') throw new Error('the transaction was rolled back');
}

/** Whether the connection may be in the midst of something: the server did not say what became of a statement. */
function breaksConnection(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return !SQLSTATE.test(code) || CONNECTION_CLOSED.test(code);
}

/** Our instants and counts are safe integers; the driver gives 64 bits as text. Other users of the driver keep theirs. */
function getTypeParser(...[oid, format]: Parameters<typeof pg.types.getTypeParser>) {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format);
}
