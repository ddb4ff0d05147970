/**
 * Values as columns hold them where they are encrypted: `enc:1:`, the key's id, and what the cipher wrote.
 *
 * A value is bound to its table, its column and its row: moved anywhere else, it does not open.
 */
import type { ValueCipher } from '../../service/ports/ports.js';

/** Where a value stands. */
export interface AssociatedData {
  readonly table: string;
  readonly column: string;
  /** What the row is, and what else of it shall not change without the value: a credential's owner and its dates. */
  readonly row: readonly (string | number | null)[];
}

/** Seals what is written and opens what is read. */
export interface Sealing {
  /** Whether values in clear are rejected, since everything was encrypted once. */
  readonly complete: boolean;
  /** The key that writes; absent where nothing is encrypted. */
  readonly keyId?: string;
  seal(text: string, data: AssociatedData): string;
  /** @throws {SealedValueError} Where the value is not the one that was written there, or its key is not among those given. */
  open(text: string, data: AssociatedData): string;
  /** Returns what a text is found by where it is sealed, under each key, the one that writes first; nothing where values are in clear. */
  fingerprints(text: string, column: Omit<AssociatedData, 'row'>): readonly string[];
}

/** Leaves every value in clear. */
export const NO_SEALING: Sealing = {
  complete: false,
  seal: (text) => text,
  open: (text) => text,
  fingerprints: () => [],
};

/** Thrown for a value that cannot be opened. It tells where, and nothing of the value. */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
  /** For the log, which shows no messages. */
  readonly code = 'SEALED_VALUE';

  constructor({ table, column }: Omit<AssociatedData, 'row'>, why: string) {
    super(`a value of the table ${table}, column ${column}, cannot be read: ${why}`);
  }
}

/** Returns the error for a value in clear in a store that was encrypted completely. */
export function clearValueError(data: Omit<AssociatedData, 'row'>): SealedValueError {
  return new SealedValueError(data, 'it is not encrypted, but the store was encrypted completely');
}

/** How every sealed value begins, whatever its key. */
export const SEALED_PREFIX = 'enc:1:';
const SEALED = /^enc:1:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]+)$/;

/** @param complete - Whether values in clear are refused. */
export function createSealing(cipher: ValueCipher, complete: boolean): Sealing {
  const [keyId] = cipher.keyIds;
  return {
    complete: complete,
    keyId,
    seal: (text, data) => `${prefixOf(keyId)}${cipher.encrypt(text, encodeAssociatedData(data, keyId))}`,
    open: (text, data) => {
      if (!isSealed(text)) {
        if (complete) throw clearValueError(data);
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

/** Whether a text looks as if a key had encrypted it. */
function isSealed(text: string): boolean {
  return text.startsWith(SEALED_PREFIX);
}

/** How everything begins that a key has encrypted. */
export function prefixOf(keyId: string): string {
  return `${SEALED_PREFIX}${keyId}:`;
}

function encodeAssociatedData({ table, column, row }: AssociatedData, keyId: string): string {
  return JSON.stringify([SEALED_PREFIX, keyId, table, column, ...row]);
}
