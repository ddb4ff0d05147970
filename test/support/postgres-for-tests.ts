/** One PostgreSQL for a whole run of the tests: the one that is named, or a throw-away one; a database for each file that asks. */
import { randomUUID } from 'node:crypto';
import { createPostgresCluster, runStatement } from './postgres-cluster.js';

const VARIABLE = 'PROVISO_TEST_POSTGRES_URL';

/** Run once before the tests that need it, by vitest; what it returns is run after them. */
export default async function startPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE] !== undefined) return undefined;
  const cluster = await createPostgresCluster();
  process.env[VARIABLE] = cluster.url;
  return async () => {
    delete process.env[VARIABLE];
    await cluster.remove();
  };
}

/** A database of its own, empty. */
export interface EmptyDatabase {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Makes a database on the PostgreSQL of this run. */
export async function createDatabase(): Promise<EmptyDatabase> {
  const server = process.env[VARIABLE];
  if (server === undefined) throw new Error(`${VARIABLE} is not set: run the tests by test/vitest.config.ts`);
  const name = `proviso_${randomUUID().replaceAll('-', '')}`;
  await runStatement(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: async () => {
      await runStatement(server, `drop database ${name} with (force)`);
    },
  };
}
