/** Cursors: where a list goes on, told so that nobody can alter it or use it for another list (S145). */
import type { Digest } from './ports/ports.js';

/** A place in a list that is ordered by last change, then by an id. */
export interface CursorPosition {
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  readonly id: string;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
  /** The last change among the items; epoch milliseconds. */
  readonly lastModified?: number;
}

/** Makes and reads the cursors of one list: of this caller, under these scopes, with these filters. */
export interface Cursors {
  encode(position: CursorPosition): string;
  /** `undefined` for what is no cursor of this list. Never throws. */
  decode(cursor: string): CursorPosition | undefined;
}

const CURSOR = /^(\d{1,16})\.([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{43})$/;

/**
 * @param key - Kept on the service's side.
 * @param list - Everything that makes the list what it is; a cursor of another list is none of this one.
 */
export function createCursors(digest: Digest, key: string, list: readonly unknown[]): Cursors {
  const proofOf = (at: string, id: string) =>
    digest.hmacSha256(key, JSON.stringify(['cursor', list, at, id]));
  return {
    encode: ({ updatedAt, id }) => `${updatedAt}.${id}.${proofOf(String(updatedAt), id)}`,
    decode: (cursor) => {
      const [, at = '', id = '', proof = ''] = CURSOR.exec(cursor) ?? [];
      return proof !== '' && digest.equal(proofOf(at, id), proof) ? { updatedAt: Number(at), id } : undefined;
    },
  };
}

/** The page that a list's rows make, of which one more than the limit was asked for. */
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
