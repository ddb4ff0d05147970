/** The keys of a store: which ones its values are under, and whether those that were given are the same. */
import { type Kysely, sql } from 'kysely';
import type { ValueCipher } from '../../service/ports/value-cipher.js';
import type { Schema } from '../schema.js';
import { createSealing, isSealed, type Sealing } from './sealing.js';

/** Thrown where a store cannot be opened with the keys that were given, or without any. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

/** What a key's proof says. */
const WHOLE = 'whole';
const PARTLY = 'partly';

/** Tables that are empty in a store which nobody has used. */
const FIRST_FILLED = ['kept_secret', 'signing_key', 'person', 'credential', 'authorization_record'] as const;

/**
 * Prepares to seal and open a store's values; a key that writes for the first time is noted.
 *
 * @param database - Migrated, and locked against others who open it.
 * @returns `undefined` for a store whose values stand in clear.
 * @throws {EncryptionKeyError} When a key is missing that the store's values are under, or is another of the same name; or when the store no longer
 *   knows its keys.
 */
export async function openSealing(
  database: Kysely<Schema>,
  cipher: ValueCipher | undefined,
): Promise<Sealing | undefined> {
  const known = await database.selectFrom('encryption_key').selectAll().orderBy('id').execute();
  const missing = known.filter(({ id }) => cipher?.keyIds.includes(id) !== true).map(({ id }) => `\`${id}\``);
  if (missing.length > 0) {
    throw new EncryptionKeyError(
      `its values are encrypted under ${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}, not among the encryption keys that were given`,
    );
  }
  // A key is noted before it writes anything: somebody took the note away, and with it the refusal of what is put in clear.
  if (known.length === 0 && (await holdsSealed(database))) {
    throw new EncryptionKeyError(
      'its values are encrypted, but its table of encryption keys is empty: what it holds may have been changed, restore it from a backup',
    );
  }
  if (cipher === undefined) return undefined;
  const proofs = known.map(({ id, proof }) => openProof(id, proof, cipher));
  const whole = known.length === 0 ? await isUnused(database) : proofs.includes(WHOLE);
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
export async function recordWhole(transaction: Kysely<Schema>, sealing: Sealing): Promise<void> {
  const [keyId] = sealing.cipher.keyIds;
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

/** Looks at the store's own keys, which are few, and at one credential. */
async function holdsSealed(database: Kysely<Schema>): Promise<boolean> {
  const secrets = await database.selectFrom('kept_secret').select('secret as value').execute();
  const keys = await database.selectFrom('signing_key').select('private_jwk as value').execute();
  const claims = await database.selectFrom('credential').select('claims as value').limit(1).execute();
  return [...secrets, ...keys, ...claims].some(({ value }) => isSealed(value));
}

async function isUnused(database: Kysely<Schema>): Promise<boolean> {
  for (const table of FIRST_FILLED) {
    const row = await database.selectFrom(table).select(sql`1`.as('there')).limit(1).executeTakeFirst();
    if (row !== undefined) return false;
  }
  return true;
}
