/** Detects a pooler, such as PgBouncer, between the service and PostgreSQL (V12, S188). */
import pg from 'pg';
import { type PoolTarget, type Timeouts, withoutServerTimeouts } from './guarded-pool.js';

const PROTOCOL_VIOLATION = '08P01';

/**
 * Connects once, to find out whether a pooler responds: the process id that a pooler reports is not that of the process that runs the statements.
 *
 * @throws {Error} If the database cannot be reached, or a pooler does not support a parameter of the URL.
 */
export async function detectPooler(url: string, timeouts: Timeouts): Promise<PoolTarget> {
  const client = new pg.Client({
    connectionString: withoutServerTimeouts(url, timeouts).url,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.responseMs,
    fallback_application_name: 'proviso',
  });
  // Without a listener, a connection that fails would end the process.
  client.on('error', () => undefined);
  await client.connect().catch(explainPooler);
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    // The driver's types lack this property.
    const { processID } = client as unknown as { readonly processID: number };
    return { url, isPooled: rows[0]?.pid !== processID };
  } finally {
    await client.end();
  }
}

/**
 * Rethrows an error of the driver.
 *
 * @throws {Error} The given error, or, if a pooler rejected a request, an error that names the requirements on the pooler.
 */
export function explainPooler(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error) || error.code !== PROTOCOL_VIOLATION) throw error;
  throw new Error(
    `the pooler rejects what the service needs (${error.message}): its pool mode must be transaction or session, and the URL must not have \`options\``,
    { cause: error },
  );
}
