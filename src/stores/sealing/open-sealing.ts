/** The keys of a store: which ones its values are under, and whether those that were given are the same. */
import { type Kysely, sql } from 'kysely';
import type { ValueCipher } from '../../service/ports/ports.js';
import type { Schema } from '../schema.js';
import { CLIENT_COLUMNS, MARKED_COLUMNS, type Row } from './sealed-columns.js';
import { createSealing, MARK, NO_SEALING, type Place, SealedValueError, type Sealing } from './sealing.js';

/** Thrown where a store cannot be opened with the keys that were given, or without any. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

/** How a store is opened. */
export interface SealingOptions {
  /** Encrypts and decrypts; absent where no keys were given. */
  readonly cipher: ValueCipher | undefined;
  /** Whether the caller states that everything is encrypted: then nothing that the store says of itself is relied on. */
  readonly required: boolean;
}

/** What a key's proof says. */
const WHOLE = 'whole';
const PARTLY = 'partly';

/** Tables that are empty in a store which nobody has used. */
const FIRST_FILLED = ['kept_secret', 'signing_key', 'person', 'credential', 'authorization_record'] as const;

/**
 * Prepares to seal and open a store's values; records a key that writes for the first time.
 *
 * @param database - Migrated, and locked against other programs that open it.
 * @returns `NO_SEALING` for a store whose values are in clear.
 * @throws {EncryptionKeyError} When a key of the store is missing, or is another of the same name; when the store holds sealed values but no
 *   record of its keys; when encryption is required, and there is no key or the store was never encrypted completely.
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
      `its values are encrypted under ${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}, not among the encryption keys that were given`,
    );
  }
  // A key is recorded before it writes anything, so the record was removed, and with it the refusal of values in clear.
  if (known.length === 0 && (await holdsSealed(database, cipher))) {
    throw new EncryptionKeyError(
      'its values are encrypted, but its table of encryption keys is empty: the store may have been tampered with, restore it from a backup',
    );
  }
  if (cipher === undefined) return NO_SEALING;
  const proofs = known.map(({ id, proof }) => openProof(id, proof, cipher));
  const whole = known.length === 0 ? await isUnused(database) : proofs.includes(WHOLE);
  if (required && !whole) {
    throw new EncryptionKeyError(
      'encryption is required, but the store was never encrypted completely: run proviso encrypt with PROVISO_ENCRYPTION=optional first, and if it was encrypted before, restore it from a backup',
    );
  }
  const sealing = createSealing(cipher, whole);
  const [keyId] = cipher.keyIds;
  if (!known.some(({ id }) => id === keyId)) {
    await database
      .insertInto('encryption_key')
      .values({ id: keyId, proof: sealProof(keyId, whole, sealing) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return sealing;
}

/** Notes that everything is under the key that writes, and forgets the others. */
export async function recordWhole(
  transaction: Kysely<Schema>,
  sealing: Sealing,
  keyId: string,
): Promise<void> {
  const proof = sealProof(keyId, true, sealing);
  await transaction.updateTable('encryption_key').set({ proof }).where('id', '=', keyId).execute();
  await transaction.deleteFrom('encryption_key').where('id', '!=', keyId).execute();
}

function placeOfProof(id: string) {
  return { table: 'encryption_key', column: 'proof', row: [id] };
}

function sealProof(id: string, whole: boolean, sealing: Sealing): string {
  return sealing.seal(whole ? WHOLE : PARTLY, placeOfProof(id));
}

function openProof(id: string, proof: string, cipher: ValueCipher): string {
  try {
    return createSealing(cipher, true).open(proof, placeOfProof(id));
  } catch (cause) {
    throw new EncryptionKeyError(
      `the encryption key \`${id}\` that was given is another than the one that encrypted its values`,
      { cause },
    );
  }
}

/** Whether any value of any column was sealed. Reads every row of a store in clear; in an encrypted one it stops at the first. */
async function holdsSealed(database: Kysely<Schema>, cipher: ValueCipher | undefined): Promise<boolean> {
  for (const [table, column] of MARKED_COLUMNS) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${hasMark(column)} limit 1`.execute(database);
    if (rows.length > 0) return true;
  }
  return cipher !== undefined && (await holdsSealedRequest(database, cipher));
}

async function holdsSealedRequest(database: Kysely<Schema>, cipher: ValueCipher): Promise<boolean> {
  const sealing = createSealing(cipher, true);
  for (const { table, column, placeOf } of CLIENT_COLUMNS) {
    const { rows } = await sql<Row>`
      select id, ${sql.ref(column)} from ${sql.table(table)} where ${hasMark(column)}`.execute(database);
    if (rows.some((row) => opens(String(row[column]), placeOf(row), sealing))) return true;
  }
  return false;
}

function hasMark(column: string) {
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(MARK.length)}) = ${sql.lit(MARK)}`;
}

function opens(value: string, place: Place, sealing: Sealing): boolean {
  try {
    sealing.open(value, place);
    return true;
  } catch (error) {
    if (error instanceof SealedValueError) return false;
    throw error;
  }
}

async function isUnused(database: Kysely<Schema>): Promise<boolean> {
  for (const table of FIRST_FILLED) {
    const row = await database.selectFrom(table).select(sql`1`.as('there')).limit(1).executeTakeFirst();
    if (row !== undefined) return false;
  }
  return true;
}
