/** Stores for fault tests, each in a separate location, with direct access to their databases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { createPostgresCluster, type PostgresCluster, runStatement } from '../support/postgres-cluster.js';

export interface FaultStore {
  /** For PROVISO_DATABASE_URL. */
  readonly databaseUrl: string;
  /** Runs one SQL statement and returns its rows. */
  readonly runSql: (text: string) => Promise<readonly unknown[]>;
  readonly remove: () => Promise<void>;
}

export interface PostgresFaultStore extends FaultStore {
  readonly cluster: PostgresCluster;
}

/** A SQLite store in a folder; without one, in a new temporary folder. */
export function sqliteIn(folder: string = mkdtempSync(join(tmpdir(), 'proviso-faults-'))): FaultStore {
  const path = join(folder, 'store.sqlite');
  return {
    databaseUrl: `sqlite:${path}`,
    runSql: async (text) => {
      const file = new Libsql(path);
      try {
        return file.prepare(text).all([]);
      } finally {
        file.close();
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A PostgreSQL store in a new temporary cluster. */
export async function ownPostgres(): Promise<PostgresFaultStore> {
  const cluster = await createPostgresCluster();
  return {
    cluster,
    databaseUrl: cluster.url,
    runSql: (text) => runStatement(cluster.url, text),
    remove: () => cluster.remove(),
  };
}
