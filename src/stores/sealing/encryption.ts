/** Opens an encrypted store with its keys, and re-encrypts it under a new key. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ValueCipher } from '../../service/ports/ports.js';
import type { StoreEncryption } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { ProvisoError } from '../../util/proviso-error.js';
import type { StoreDialect } from '../migrate.js';
import { rewriteFile } from '../rewrite-file.js';
import type { Schema } from '../schema.js';
import { ofRequest } from './associated-data.js';
import { countValues, hasSealed, isUnder } from './count-values.js';
import { reencryptAll } from './reencrypt.js';
import { REQUEST_COLUMNS, SEALED_TABLES, SERVER_WRITTEN_COLUMNS } from './sealed-columns.js';
import { type AssociatedData, createSealing, NO_SEALING, SealedValueError, type Sealing } from './sealing.js';

/** Thrown when a store cannot be opened with the given keys. */
export class EncryptionKeyError extends ProvisoError<'encryption_key'> {
  override readonly name = 'EncryptionKeyError';

  constructor(message: string, options?: ErrorOptions) {
    super('encryption_key', message, options);
  }
}

/** Options of the encryption of a store. */
export interface SealingOptions {
  /** Absent without encryption keys. */
  readonly cipher: ValueCipher | undefined;
  /** Whether every value must be encrypted, even if the table `encryption_key` does not say so. */
  readonly required: boolean;
}

/**
 * Contents of `encryption_key.proof`. The proof is encrypted under its key, so decrypting it proves that a given key is the right one. Its content
 * says whether the store is encrypted completely.
 */
export const COMPLETE = 'whole';
const PARTIAL = 'partly';

/**
 * Prepares the encryption of a store, and records a key at its first use.
 *
 * @param database - Migrated, and locked against concurrent opening.
 * @returns `NO_SEALING` for an unencrypted store.
 * @throws {EncryptionKeyError} If a key of the store is missing or wrong; if the store contains encrypted values but no record of its keys; if
 *   encryption is required without a key or before the store was encrypted completely.
 */
export async function openSealing(
  database: Kysely<Schema>,
  { cipher, required }: SealingOptions,
): Promise<Sealing> {
  if (required && cipher === undefined)
    throw new EncryptionKeyError('encryption is required, but no encryption key was given');
  const known = await database.selectFrom('encryption_key').selectAll().orderBy('id').execute();
  const missing = known.filter(({ id }) => cipher?.keyIds.includes(id) !== true).map(({ id }) => `\`${id}\``);
  if (missing.length > 0) {
    throw new EncryptionKeyError(
      `the store's values are encrypted under ${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}, which must be among the given encryption keys`,
    );
  }
  // A key is recorded before its first use, so encrypted values without a recorded key mean that the records were deleted. Opening the store
  // would then accept plaintext values.
  if (known.length === 0 && (await hasSealedValue(database, cipher))) {
    throw new EncryptionKeyError(
      'the store contains encrypted values, but its table of encryption keys is empty: the store may have been tampered with, restore it from a backup',
    );
  }
  if (cipher === undefined) return NO_SEALING;
  const proofs = known.map(({ id, proof }) => decryptProof(id, proof, cipher));
  const complete = known.length === 0 ? await isUnused(database) : proofs.includes(COMPLETE);
  if (required && !complete) {
    throw new EncryptionKeyError(
      'encryption is required, but the store has no record that it was encrypted completely: run proviso encrypt with PROVISO_ENCRYPTION=optional first, or, if it had such a record before, restore it from a backup',
    );
  }
  const sealing = createSealing(cipher, complete);
  const [keyId] = cipher.keyIds;
  if (!known.some(({ id }) => id === keyId)) {
    await database
      .insertInto('encryption_key')
      .values({ id: keyId, proof: sealProof(keyId, complete, sealing) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return sealing;
}

/** Records that every value is encrypted under the current key, and deletes the records of other keys. */
async function recordComplete(transaction: Kysely<Schema>, sealing: Sealing, keyId: string): Promise<void> {
  const proof = sealProof(keyId, true, sealing);
  await transaction.updateTable('encryption_key').set({ proof }).where('id', '=', keyId).execute();
  await transaction.deleteFrom('encryption_key').where('id', '!=', keyId).execute();
}

function proofAssociatedData(id: string) {
  return { table: 'encryption_key', column: 'proof', row: [id] };
}

function sealProof(id: string, complete: boolean, sealing: Sealing): string {
  return sealing.seal(complete ? COMPLETE : PARTIAL, proofAssociatedData(id));
}

/** Decrypts the proof of a key. @throws {EncryptionKeyError} If the proof was encrypted under another key of this id. */
export function decryptProof(id: string, proof: string, cipher: ValueCipher): string {
  try {
    return createSealing(cipher, true).open(proof, proofAssociatedData(id));
  } catch (cause) {
    throw new EncryptionKeyError(
      `the given encryption key \`${id}\` is not the key that the store's values are encrypted under`,
      { cause },
    );
  }
}

/**
 * Returns whether a value is encrypted. Searches by the indexes of encrypted values; without these, it reads all rows of an unencrypted store. Orders
 * the rows as the index does: otherwise PostgreSQL would scan the table, since it expects to find a row soon. Without a cipher, ignores the columns
 * whose strings clients choose.
 */
async function hasSealedValue(database: Kysely<Schema>, cipher: ValueCipher | undefined): Promise<boolean> {
  for (const [table, order, ...columns] of SERVER_WRITTEN_COLUMNS) {
    const sealed = sql`${sql.table(table)} where ${hasSealed(columns)} order by ${sql.ref(order)}`;
    if (await hasRow(database, sealed)) return true;
  }
  return cipher !== undefined && (await hasSealedClientValue(database, cipher));
}

/** Rows per statement. */
const SEARCHED_ROWS = 500;

async function hasSealedClientValue(database: Kysely<Schema>, cipher: ValueCipher): Promise<boolean> {
  const sealing = createSealing(cipher, true);
  for (let after = ''; ; ) {
    const rows = await database
      .selectFrom('authorization_record')
      .select(['id', ...REQUEST_COLUMNS])
      .where(hasSealed(REQUEST_COLUMNS))
      .where('id', '>', after)
      .orderBy('id')
      .limit(SEARCHED_ROWS)
      .execute();
    if (
      rows.some((row) =>
        REQUEST_COLUMNS.some((column) => canOpen(row[column], ofRequest(column, row.id), sealing)),
      )
    )
      return true;
    after = rows.at(-1)?.id ?? '';
    if (rows.length < SEARCHED_ROWS) return false;
  }
}

function canOpen(value: string | null, data: AssociatedData, sealing: Sealing): boolean {
  try {
    return value !== null && sealing.open(value, data) !== undefined;
  } catch (error) {
    if (error instanceof SealedValueError) return false;
    throw error;
  }
}

/** Whether no table with encrypted columns has a row. */
async function isUnused(database: Kysely<Schema>): Promise<boolean> {
  for (const { table } of SEALED_TABLES) if (await hasRow(database, sql.table(table))) return false;
  return true;
}

/** @param source - A table, with a condition and an order. */
async function hasRow(database: Kysely<Schema>, source: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from ${source} limit 1`.execute(database);
  return rows.length > 0;
}

export function createEncryption(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  sealing: Sealing,
  keyId: string,
  flush: () => Promise<void>,
): StoreEncryption {
  return omitUndefined({
    keyId,
    complete: sealing.complete,
    countUnderOtherKeys: () => countUnderOtherKeys(database, dialect, keyId),
    encryptAll: (limit: number) => reencryptAll(database, dialect, { sealing, keyId, limit }),
    finish: async () => {
      // Counts outside of a transaction first, so that an incomplete store delays no writer.
      if ((await countUnderOtherKeys(database, dialect, keyId)) > 0) return false;
      const complete = await database.transaction().execute(async (transaction) => {
        // On SQLite, no other connection writes during the transaction. On PostgreSQL, another instance may write a plaintext value after this
        // count, as it may after the transaction.
        if ((await countUnderOtherKeys(transaction, dialect, keyId)) > 0) return false;
        await recordComplete(transaction, sealing, keyId);
        return true;
      });
      if (!complete) return false;
      if (dialect === 'sqlite') await rewriteFile(database);
      await flush();
      return true;
    },
    // On SQLite, `finish` rewrites the file.
    tablesToRewrite: dialect === 'sqlite' ? undefined : SEALED_TABLES.map(({ table }) => table).sort(),
  });
}

/** Counts the values that are not encrypted under the key. */
async function countUnderOtherKeys(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  keyId: string,
): Promise<number> {
  return await countValues(database, dialect, (column) => sql<boolean>`not ${isUnder(column, keyId)}`);
}
