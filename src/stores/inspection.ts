/** Reads the state of an existing store without changing anything, for diagnosis. */
import { type Kysely, sql } from 'kysely';
import type { SigningKey } from '../service/keys/signing-keys.js';
import type { ValueCipher } from '../service/ports/ports.js';
import type { StoreDialect } from './migrate.js';
import type { Schema } from './schema.js';
import { type EncryptionState, inspectEncryption } from './sealing/inspect-encryption.js';
import { countExpired } from './statements/transient.js';

/** A signing key without its private part. */
export type SigningKeyState = Pick<SigningKey, 'algorithm' | 'publishedAt' | 'signsFrom'>;

/** An open connection for diagnosis. Methods reject if the store is damaged, or its schema is older than this program. */
export interface StoreInspection {
  /** The clock of the database server, in epoch milliseconds; absent on SQLite. */
  readonly readClock?: () => Promise<number>;
  /** Lists faults of the file or the server that endanger its content. */
  readonly listFaults: () => Promise<readonly string[]>;
  /** Lists indexes that are missing or invalid. */
  readonly listMissingIndexes: () => Promise<readonly string[]>;
  readonly listSigningKeys: () => Promise<readonly SigningKeyState[]>;
  readonly readEncryption: (cipher: ValueCipher | undefined) => Promise<EncryptionState>;
  /**
   * Counts the rows that the expiry sweeper should have removed.
   *
   * @param tokensBefore - Counts tokens that expired at this instant or earlier; epoch milliseconds.
   * @param transientBefore - The same for requests, rate limits and assertions.
   */
  readonly countExpired: (tokensBefore: number, transientBefore: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Creates the reads that both database engines share. */
export function inspectTables(
  database: Kysely<Schema>,
  dialect: StoreDialect,
): Omit<StoreInspection, 'readClock' | 'listFaults' | 'listMissingIndexes'> {
  return {
    listSigningKeys: async () => {
      const { rows } = await sql<SigningKeyState>`
        select algorithm, published_at as "publishedAt", signs_from as "signsFrom" from signing_key`.execute(
        database,
      );
      return rows;
    },
    readEncryption: (cipher) => inspectEncryption(database, dialect, cipher),
    countExpired: (tokensBefore, transientBefore) => countExpired(database, tokensBefore, transientBefore),
    close: () => database.destroy(),
  };
}
