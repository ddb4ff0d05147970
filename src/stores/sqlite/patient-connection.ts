/** Waits for another program's lock between tries, so that everything else goes on: within the driver it would stand still (V12, S183). */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

const WAIT_MS = 30;
/** With the driver's own short wait about five seconds in all. */
const MAX_ATTEMPTS = 100;

/**
 * Lets a connection run a statement again that SQLite did not begin, since another program held the lock: nothing is in doubt then.
 * Whoever else wants the connection waits as long; the queries' own reads have another.
 */
export function waitBetweenTries(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await execute<Row>(query);
      } catch (error) {
        if (!isBusy(error) || attempt === MAX_ATTEMPTS) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  };
}

/** Whether SQLite gave up since another program holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
