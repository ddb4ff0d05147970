/** Lists of policies in one column: a list per object would take several times the memory and the time. */
import type { Position } from './access-index.js';
import { type ComparisonWords, holdsWord } from './comparison-words.js';
import { grow } from './growing.js';

/** Where a list starts in the column; {@link EMPTY_LIST} for one without policies. */
export type PostingList = number;

export const EMPTY_LIST: PostingList = 0;

/** Number of comparisons in an entry. Each excludes people before the program of a policy is read. */
export const REQUIRED_WORDS = 3;

/** Policies as bitmaps, by position. */
export interface Found {
  /** Policies that pass. */
  readonly passing: Uint32Array<ArrayBuffer>;
  /** Policies whose program must be read. */
  readonly candidates: Uint32Array<ArrayBuffer>;
}

/** A list is a chain of blocks, the newest first, of a head and entries: the next block, the number of entries, and room for entries. */
const NEXT = 0;
const COUNT = 1;
const ROOM = 2;
const HEAD_SIZE = 3;
/** An entry: the position of a policy with a bit that states whether the entry decides it, and comparisons that it requires. */
const POLICY = 0;
const REQUIRED = 1;
const ENTRY_SIZE = REQUIRED + REQUIRED_WORDS;

/** A full block is moved to one of twice the room, up to this: most lists are read from one place. */
const MOST_ROOM = 16;

/**
 * Stores lists of policies. Each entry has comparisons that the policy requires, which exclude most people before the rest of
 * the policy is read. After the policy was deleted, an operand may be another value; the outcome is not used then.
 */
export class PostingLists {
  readonly #words: ComparisonWords;
  #column = new Int32Array(256);
  #end = 1;
  /** By room: the blocks that were moved. */
  readonly #freed: PostingList[][] = [];

  constructor(words: ComparisonWords) {
    this.#words = words;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#column.byteLength;
  }

  /**
   * Adds a policy to a list.
   *
   * @param required - As many comparisons as an entry has.
   * @param isDecided - Whether the policy passes where they hold.
   * @returns The list.
   */
  add(list: PostingList, position: Position, required: readonly number[], isDecided: boolean): PostingList {
    return this.#addEntry(list, [(position << 1) | Number(isDecided), ...required]);
  }

  /** Returns the number of policies of a list, some of which may be deleted. */
  count(list: PostingList): number {
    let count = 0;
    for (let block = list; block !== EMPTY_LIST; block = this.#column[block + NEXT] as PostingList)
      count += this.#column[block + COUNT] as number;
    return count;
  }

  /** Sets the bits of the policies of a list whose comparisons hold for the person of the match. */
  collect(list: PostingList, { passing, candidates }: Found): void {
    const column = this.#column;
    const { columns } = this.#words;
    for (let block = list; block !== EMPTY_LIST; block = column[block + NEXT] as PostingList) {
      const end = block + HEAD_SIZE + (column[block + COUNT] as number) * ENTRY_SIZE;
      for (let entry = block + HEAD_SIZE; entry < end; entry += ENTRY_SIZE) {
        if (!holdsRequired(column, entry + REQUIRED, columns)) continue;
        const policy = column[entry + POLICY] as number;
        const found = (policy & 1) === 1 ? passing : candidates;
        found[policy >>> 6] = (found[policy >>> 6] as number) | (1 << ((policy >>> 1) & 31));
      }
    }
  }

  /** Returns these lists without deleted policies. @param copy - Calls its argument for each list, and stores the result in place of it. */
  purge(
    isDeleted: (position: Position) => boolean,
    copy: (move: (list: PostingList) => PostingList) => void,
  ): void {
    const before = this.#column;
    this.#column = new Int32Array(Math.max(256, this.#end));
    this.#end = 1;
    this.#freed.length = 0;
    copy((list) => {
      let moved = EMPTY_LIST;
      for (let block = list; block !== EMPTY_LIST; block = before[block + NEXT] as PostingList)
        for (let index = 0; index < (before[block + COUNT] as number); index += 1) {
          const entry = block + HEAD_SIZE + index * ENTRY_SIZE;
          if (!isDeleted((before[entry + POLICY] as number) >>> 1))
            moved = this.#addEntry(moved, before.subarray(entry, entry + ENTRY_SIZE));
        }
      return moved;
    });
  }

  #addEntry(list: PostingList, contents: ArrayLike<number>): PostingList {
    const isFull = list === EMPTY_LIST || this.#column[list + COUNT] === this.#column[list + ROOM];
    const block = isFull ? this.#enlarge(list) : list;
    const count = this.#column[block + COUNT] as number;
    this.#column[block + COUNT] = count + 1;
    this.#column.set(contents, block + HEAD_SIZE + count * ENTRY_SIZE);
    return block;
  }

  /** Returns a list with room for another entry. */
  #enlarge(list: PostingList): PostingList {
    if (list === EMPTY_LIST) return this.#createBlock(EMPTY_LIST, 1);
    const room = this.#column[list + ROOM] as number;
    if (room === MOST_ROOM) return this.#createBlock(list, MOST_ROOM);
    const block = this.#createBlock(EMPTY_LIST, 2 * room);
    this.#column.copyWithin(block + HEAD_SIZE, list + HEAD_SIZE, list + HEAD_SIZE + room * ENTRY_SIZE);
    this.#column[block + COUNT] = room;
    this.#freed[room] ??= [];
    this.#freed[room].push(list);
    return block;
  }

  #createBlock(next: PostingList, room: number): PostingList {
    let block = this.#freed[room]?.pop();
    if (block === undefined) {
      block = this.#end;
      this.#end += HEAD_SIZE + room * ENTRY_SIZE;
      if (this.#end > this.#column.length) this.#column = grow(this.#column, this.#end);
    }
    this.#column[block + NEXT] = next;
    this.#column[block + COUNT] = 0;
    this.#column[block + ROOM] = room;
    return block;
  }
}

/** Decides the comparisons of an entry for the person of the match. */
function holdsRequired(column: Int32Array, start: number, columns: Uint32Array): boolean {
  for (let index = start; index < start + REQUIRED_WORDS; index += 1)
    if (!holdsWord(column[index] as number, columns)) return false;
  return true;
}
