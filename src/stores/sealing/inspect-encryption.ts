/** Reads how completely a store is encrypted, and under which keys. */
import { type Kysely, sql } from 'kysely';
import type { ValueCipher } from '../../service/ports/ports.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { countValues, hasSealedPrefix, isUnder } from './count-values.js';
import { COMPLETE, decryptProof } from './encryption.js';
import { SERVER_WRITTEN_COLUMNS } from './sealed-columns.js';

/** The encryption of a store. Keys are named by their ids. */
export interface EncryptionState {
  /** Keys that the store records as used. */
  readonly recorded: readonly string[];
  /** Given keys that differ from the recorded key of the same id. */
  readonly wrong: readonly string[];
  /** Whether the store records that it was encrypted completely. `false` if no given key decrypts such a record. */
  readonly complete: boolean;
  /** The number of values that are not encrypted. */
  readonly plaintext: number;
  /** The number of values under each recorded or given key. */
  readonly values: ReadonlyMap<string, number>;
  /**
   * The number of values under other keys, in columns whose whole value clients cannot choose. If the store records no key, the number of all encrypted
   * values in these columns: such a store cannot be opened.
   */
  readonly unknown: number;
}

/**
 * Counts the values of all encrypted columns in the database. Decrypts none of them.
 *
 * @param cipher - Absent without encryption keys.
 */
export async function inspectEncryption(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  cipher: ValueCipher | undefined,
): Promise<EncryptionState> {
  const proofs = await database.selectFrom('encryption_key').selectAll().orderBy('id').execute();
  const recorded = proofs.map(({ id }) => id);
  const given: readonly string[] = cipher?.keyIds ?? [];
  const contents = proofs.map(({ id, proof }) => tryProof(id, proof, cipher));
  const values = new Map<string, number>();
  for (const id of new Set([...given, ...recorded]))
    values.set(id, await countValues(database, dialect, (column) => isUnder(column, id)));
  const known = recorded.length === 0 ? [] : [...given, ...recorded];
  return {
    recorded,
    wrong: recorded.filter((id, index) => given.includes(id) && contents[index] === undefined),
    complete: contents.includes(COMPLETE),
    plaintext: await countValues(database, dialect, (column) => sql<boolean>`not ${hasSealedPrefix(column)}`),
    values,
    unknown: await countValues(database, dialect, (column) =>
      known.reduce(
        (condition, id) => sql`${condition} and not ${isUnder(column, id)}`,
        sql<boolean>`${sql.lit(SERVER_WRITTEN_COLUMNS.flat().includes(column))} and ${hasSealedPrefix(column)}`,
      ),
    ),
  };
}

/** Returns the content of a proof; `undefined` if its key is not given, or differs from the given key of this id. */
function tryProof(id: string, proof: string, cipher: ValueCipher | undefined): string | undefined {
  try {
    return cipher && decryptProof(id, proof, cipher);
  } catch {
    return undefined;
  }
}
