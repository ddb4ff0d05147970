/** Reads how completely a store is encrypted, and under which keys. */
import { type Kysely, sql } from 'kysely';
import type { ValueCipher } from '../../service/ports/ports.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { countValues, hasSealedPrefix, isUnder } from './count-values.js';
import { COMPLETE, decryptProof, EncryptionKeyError } from './encryption.js';

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
  const contents = proofs.flatMap(({ id, proof }) =>
    cipher !== undefined && given.includes(id) ? [{ id, content: tryProof(id, proof, cipher) }] : [],
  );
  const values = new Map<string, number>();
  for (const id of new Set([...given, ...recorded]))
    values.set(id, await countValues(database, dialect, (column) => isUnder(column, id)));
  return {
    recorded,
    wrong: contents.filter(({ content }) => content === undefined).map(({ id }) => id),
    complete: contents.some(({ content }) => content === COMPLETE),
    plaintext: await countValues(database, dialect, (column) => sql<boolean>`not ${hasSealedPrefix(column)}`),
    values,
  };
}

function tryProof(id: string, proof: string, cipher: ValueCipher): string | undefined {
  try {
    return decryptProof(id, proof, cipher);
  } catch (error) {
    if (error instanceof EncryptionKeyError) return undefined;
    throw error;
  }
}
