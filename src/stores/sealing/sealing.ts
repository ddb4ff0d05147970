/**
 * Encrypted column values: `enc:1:<id of the key>:<ciphertext>`.
 *
 * Associated data binds a value to its table, column and row, so that the value does not decrypt in another place.
 */
import type { ValueCipher } from '../../service/ports/ports.js';
import { ProvisoError } from '../../util/proviso-error.js';

/** The associated data (AAD) of a value. */
export interface AssociatedData {
  readonly table: string;
  readonly column: string;
  /** Identity and other columns of the row that must not change without the value. */
  readonly row: readonly (string | number | null)[];
}

/** Encrypts values before writing and decrypts them after reading. */
export interface Sealing {
  /** Whether plaintext values are rejected, since every value was encrypted. */
  readonly complete: boolean;
  /** Id of the current key; absent without encryption. */
  readonly keyId?: string;
  seal(text: string, data: AssociatedData): string;
  /** @throws {SealedValueError} If authentication fails, the key is missing, or the value is plaintext although `complete` is true. */
  open(text: string, data: AssociatedData): string;
  /** Returns the fingerprints of a string under each key, the current one first; empty without encryption. */
  fingerprints(text: string, column: Omit<AssociatedData, 'row'>): readonly string[];
}

/** No encryption. */
export const NO_SEALING: Sealing = {
  complete: false,
  seal: (text) => text,
  open: (text) => text,
  fingerprints: () => [],
};

/** Thrown for a value that cannot be decrypted. The message contains table and column, but no part of the value. */
export class SealedValueError extends ProvisoError<'SEALED_VALUE'> {
  override readonly name = 'SealedValueError';

  constructor({ table, column }: Omit<AssociatedData, 'row'>, fault: string) {
    super('SEALED_VALUE', `a value of the table ${table}, column ${column}, cannot be read: ${fault}`);
  }
}

/** Returns the error for a plaintext value in a completely encrypted store. */
export function plaintextError(data: Omit<AssociatedData, 'row'>): SealedValueError {
  return new SealedValueError(data, 'it is not encrypted, but the store was encrypted completely');
}

/** Prefix of every encrypted value. */
export const SEALED_PREFIX = 'enc:1:';
const SEALED = /^enc:1:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]+)$/;

/** Encrypts and decrypts values with a cipher. @param complete - Whether plaintext values are rejected. */
export function createSealing(cipher: ValueCipher, complete: boolean): Sealing {
  const [keyId] = cipher.keyIds;
  return {
    complete,
    keyId,
    seal: (text, data) => `${prefixOf(keyId)}${cipher.encrypt(text, encodeAssociatedData(data, keyId))}`,
    open: (text, data) => {
      if (!isSealed(text)) {
        if (complete) throw plaintextError(data);
        return text;
      }
      const [, id = '', encrypted = ''] = SEALED.exec(text) ?? [];
      if (!cipher.keyIds.includes(id))
        throw new SealedValueError(data, 'its encryption key must be among the given keys');
      const opened = cipher.decrypt(id, encrypted, encodeAssociatedData(data, id));
      if (opened === undefined) throw new SealedValueError(data, `it does not decrypt under the key ${id}`);
      return opened;
    },
    fingerprints: (text, { table, column }) =>
      cipher.keyIds.map(
        (id) => `${prefixOf(id)}${cipher.fingerprint(id, text, JSON.stringify([table, column]))}`,
      ),
  };
}

/** Whether a string has the prefix of encrypted values. */
function isSealed(text: string): boolean {
  return text.startsWith(SEALED_PREFIX);
}

/** Prefix of values encrypted under a key. */
export function prefixOf(keyId: string): string {
  return `${SEALED_PREFIX}${keyId}:`;
}

function encodeAssociatedData({ table, column, row }: AssociatedData, keyId: string): string {
  return JSON.stringify([SEALED_PREFIX, keyId, table, column, ...row]);
}
