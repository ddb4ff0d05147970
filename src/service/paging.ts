/** Cursors of paginated lists, authenticated and bound to their list (S145). */
import type { Digest } from './ports/ports.js';

/** A position in a list ordered by last change, then by id. */
export interface CursorPosition {
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  readonly id: string;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; absent on the last one. */
  readonly nextCursor?: string;
  /** The last change among the items; epoch milliseconds. */
  readonly lastModified?: number;
}

/** Encodes and decodes the cursors of one list: one caller, scopes and filters. */
export interface Cursors {
  encode(position: CursorPosition): string;
  /** Returns `undefined` for an invalid cursor or one of another list. Never throws. */
  decode(cursor: string): CursorPosition | undefined;
}

const CURSOR = /^(\d{1,16})\.([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{43})$/;

/**
 * Creates the encoder and decoder of the cursors of a list.
 *
 * @param key - Key of all cursors of the service. Secret.
 * @param list - Everything that identifies the list: caller, scopes, filters.
 */
export function createCursors(digest: Digest, key: string, list: readonly unknown[]): Cursors {
  const proofOf = (at: string, id: string) => digest.hmacSha256(key, JSON.stringify([list, at, id]));
  return {
    encode: ({ updatedAt, id }) => `${updatedAt}.${id}.${proofOf(String(updatedAt), id)}`,
    decode: (cursor) => {
      const [, at = '', id = '', proof = ''] = CURSOR.exec(cursor) ?? [];
      return proof !== '' && digest.equal(proofOf(at, id), proof) ? { updatedAt: Number(at), id } : undefined;
    },
  };
}

/** Creates a page from rows that were read with a limit of one more than the page size. */
export function toPage<Item>(
  rows: readonly { readonly position: CursorPosition; readonly item: Item }[],
  limit: number,
  cursors: Cursors,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    ...(last === undefined ? {} : { lastModified: last.position.updatedAt }),
    ...(last === undefined || rows.length <= limit ? {} : { nextCursor: cursors.encode(last.position) }),
  };
}
