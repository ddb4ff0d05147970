/** PostgreSQL connection pool that detects rolled-back commits and discards broken connections (S189, S191). */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { assertBindable } from '../bindable.js';

/** Timeouts of every wait, so that the duration of every request is bounded (S189). */
export interface Timeouts {
  /** Time to get a connection. */
  readonly connectMs: number;
  /** Statement timeout of the server. */
  readonly statementMs: number;
  /** Lock timeout of the server. */
  readonly lockMs: number;
  /** Time to wait for a server that does not respond. Also the server's timeout for idle transactions. */
  readonly responseMs: number;
}

/** How a pool connects. */
export interface PoolTarget {
  /** Connection string; its timeouts override those of the pool. */
  readonly url: string;
  /**
   * Whether a pooler may run each transaction on another connection of the server. If so, nothing is set or prepared beyond a transaction, and the
   * pool's server timeouts apply within transactions only; outside of them, the timeouts of the role apply.
   */
  readonly isPooled: boolean;
}

/** Isolation level of all transactions, independent of the database's default. Sufficient, since statements are compare-and-set (S188). */
const BEGIN = 'begin isolation level read committed';
const IDLE_TIMEOUT_MS = 30_000;
const INT8 = 20;
/** SQLSTATE classes after which the connection is closed: connection exceptions and server shutdown. */
const CONNECTION_CLOSED = /^(?:08|57P)/;
/** SQLSTATE of connection exceptions. */
const CONNECTION_EXCEPTION = '08000';
/** SQLSTATE of a transaction that was rolled back. */
const TRANSACTION_ROLLBACK = '40000';

/** Opens a pool for the Kysely dialect. */
export function openGuardedPool(
  target: PoolTarget,
  maxConnections: number,
  timeouts: Timeouts,
): PostgresPool {
  const { url, serverTimeouts } = target.isPooled
    ? withoutServerTimeouts(target.url, timeouts)
    : { url: target.url, serverTimeouts: serverTimeoutsOf(timeouts) };
  const pool = new pg.Pool({
    connectionTimeoutMillis: timeouts.connectMs,
    // Startup parameters, which poolers reject or ignore.
    ...(target.isPooled ? {} : toStartupParameters(serverTimeouts)),
    query_timeout: timeouts.responseMs,
    connectionString: url,
    max: maxConnections,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    // A closed pool waits for no server. Without this, an idle connection whose server does not respond would keep the process alive.
    allowExitOnIdle: true,
    keepAlive: true,
    fallback_application_name: 'proviso',
    types: { getTypeParser },
  });
  // The pool drops an idle connection that fails. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const toQuery = target.isPooled ? createPooledQueries(serverTimeouts) : createPreparedQueries();
  return {
    connect: async () => guardClient(await pool.connect().catch(rethrowWithCode), toQuery),
    end: () => pool.end(),
  };
}

/** Timeouts that the server enforces, by the names of its settings, in milliseconds; 0 for none. */
type ServerTimeouts = Readonly<Record<(typeof SERVER_TIMEOUTS)[number], number>>;

const SERVER_TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

function serverTimeoutsOf({ statementMs, lockMs, responseMs }: Timeouts): ServerTimeouts {
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: responseMs,
  };
}

/** As strings: the driver does not send the number 0, so that the timeouts of the role would apply. Its types lack strings. */
function toStartupParameters(timeouts: ServerTimeouts): ServerTimeouts {
  const entries = Object.entries(timeouts).map(([name, ms]) => [name, String(ms)]);
  return Object.fromEntries(entries) as unknown as ServerTimeouts;
}

/** Separates the server's timeouts from a URL. @param timeouts - Defaults for those that the URL does not set. */
export function withoutServerTimeouts(
  text: string,
  timeouts: Timeouts,
): { readonly url: string; readonly serverTimeouts: ServerTimeouts } {
  const serverTimeouts = { ...serverTimeoutsOf(timeouts) };
  // Not parsed as a URL: the driver also accepts one with an empty host.
  const start = text.indexOf('?') + 1;
  const parameters = new URLSearchParams(text.slice(start));
  if (start === 0 || !SERVER_TIMEOUTS.some((name) => parameters.has(name)))
    return { url: text, serverTimeouts };
  for (const name of SERVER_TIMEOUTS) {
    const ms = Number.parseInt(parameters.get(name) ?? '', 10);
    if (ms >= 0) serverTimeouts[name] = ms;
    parameters.delete(name);
  }
  return { url: `${text.slice(0, start)}${parameters}`, serverTimeouts };
}

/** Converts a statement of Kysely to a query of the driver. */
type ToQuery = (text: string, values: unknown[]) => pg.QueryConfig;

const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] } as unknown as PostgresQueryResult<never>;

function guardClient(client: pg.PoolClient, toQuery: ToQuery): PostgresPoolClient {
  let isBroken = false;
  const query = async <Row>(text: string, parameters: readonly unknown[]) => {
    // The server rolls back when the connection is closed, and the caller must learn of the earlier failure.
    if (isBroken && text === 'rollback') return ROLLED_BACK as PostgresQueryResult<Row>;
    const values = parameters.map(assertBindable);
    try {
      if (isBroken) throw new Error('the connection is closed after an earlier failure');
      const result = await client.query(toQuery(text, values));
      assertCommitted(text, result.command);
      return {
        command: result.command,
        rowCount: result.rowCount ?? 0,
        rows: result.rows,
      } as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      isBroken ||= breaksConnection(error);
      return rethrowWithCode(error);
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => client.release(isBroken) };
}

/**
 * Prepares statements with parameters once per connection, except for those that contain `*`: a prepared `select *` would fail after a migration
 * adds a column.
 */
function createPreparedQueries(): ToQuery {
  const names = new Map<string, string>();
  return (text, values) => {
    if (text === 'begin') return { text: BEGIN };
    if (values.length === 0 || text.includes('*')) return { text, values };
    const name = names.get(text) ?? `proviso_${names.size}`;
    names.set(text, name);
    return { name, text, values };
  };
}

/** Prepares nothing. Sets the timeouts of each transaction, in the same round trip as its `begin`. */
function createPooledQueries(serverTimeouts: ServerTimeouts): ToQuery {
  const settings = SERVER_TIMEOUTS.map((name) => `set local ${name} = ${serverTimeouts[name]}`);
  const begin = [BEGIN, ...settings].join('; ');
  return (text, values) => (text === 'begin' ? { text: begin } : { text, values });
}

/** PostgreSQL responds to the commit of a failed transaction with a rollback, without an error. */
function assertCommitted(text: string, command: string): void {
  if (text === 'commit' && command !== 'COMMIT')
    throw Object.assign(new Error('the transaction was rolled back'), { code: TRANSACTION_ROLLBACK });
}

/** Whether the connection must be discarded after an error: it is closed, or its state is unknown. */
function breaksConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || CONNECTION_CLOSED.test(error.code ?? '');
}

/** Rethrows an error of the driver. Those without a code are lost connections and timeouts; the log and commands recognize them by a code. */
function rethrowWithCode(error: unknown): never {
  if (error instanceof Error && !('code' in error)) Object.assign(error, { code: CONNECTION_EXCEPTION });
  throw error;
}

/** Parses 64-bit integers as numbers, for this pool only: all stored instants and counts are safe integers. */
function getTypeParser(...[oid, format]: Parameters<typeof pg.types.getTypeParser>) {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format);
}
