/** Lists of policies in one column: a list per object would take several times the memory and the time. */
import type { Position } from './access-index.js';
import { grow } from './growing.js';
import type { ItemTable } from './item-table.js';
import { type Comparison, holdsComparison } from './programs.js';

/** Where a list starts in the column; {@link EMPTY_LIST} for one without policies. */
export type PostingList = number;

export const EMPTY_LIST: PostingList = 0;

/** Number of comparisons in an entry. Each excludes people before the program of a policy is read. */
export const REQUIRED_COMPARISONS = 2;

/** A list is a chain of blocks, the newest first, of a head and entries: the next block, the number of entries, and room for entries. */
const NEXT = 0;
const COUNT = 1;
const ROOM = 2;
const HEAD_SIZE = 3;
/** An entry: the position of a policy, and the codes and operands of comparisons that it requires. */
const POSITION = 0;
const REQUIRED = 1;
const ENTRY_SIZE = REQUIRED + 2 * REQUIRED_COMPARISONS;

/** Each block of a list has twice the room of the one before, up to this. */
const MOST_ROOM = 128;

/** In place of the code of a comparison, for policies that require fewer. */
const ALWAYS = -1;

/**
 * Stores lists of policies. Each entry has a further comparison that the policy requires, which excludes most people before the rest of
 * the policy is read. After the policy was deleted, its operand may be another value; the outcome is not used then.
 */
export class PostingLists {
  readonly #items: ItemTable;
  #column = new Int32Array(256);
  #end = 1;

  constructor(items: ItemTable) {
    this.#items = items;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#column.byteLength;
  }

  /** Adds a policy to a list. @returns The list. */
  add(list: PostingList, position: Position, required: readonly Comparison[]): PostingList {
    const entry = [position];
    for (let index = 0; index < REQUIRED_COMPARISONS; index += 1)
      entry.push(required[index]?.code ?? ALWAYS, required[index]?.operand ?? 0);
    return this.#addEntry(list, entry);
  }

  /** Returns the number of policies of a list, some of which may be deleted. */
  count(list: PostingList): number {
    let count = 0;
    for (let block = list; block !== EMPTY_LIST; block = this.#column[block + NEXT] as PostingList)
      count += this.#column[block + COUNT] as number;
    return count;
  }

  /** Sets the bits of the policies of a list whose comparison holds for the person of the match. */
  collect(list: PostingList, found: Uint32Array): void {
    const column = this.#column;
    for (let block = list; block !== EMPTY_LIST; block = column[block + NEXT] as PostingList) {
      const end = block + HEAD_SIZE + (column[block + COUNT] as number) * ENTRY_SIZE;
      for (let entry = block + HEAD_SIZE; entry < end; entry += ENTRY_SIZE) {
        if (!this.#holds(entry + REQUIRED)) continue;
        const position = column[entry + POSITION] as Position;
        found[position >>> 5] = (found[position >>> 5] as number) | (1 << (position & 31));
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
    copy((list) => {
      const blocks: number[] = [];
      for (let block = list; block !== EMPTY_LIST; block = before[block + NEXT] as PostingList)
        blocks.push(block);
      let moved = EMPTY_LIST;
      for (const block of blocks.reverse())
        for (let index = 0; index < (before[block + COUNT] as number); index += 1) {
          const entry = block + HEAD_SIZE + index * ENTRY_SIZE;
          if (!isDeleted(before[entry + POSITION] as Position))
            moved = this.#addEntry(moved, before.subarray(entry, entry + ENTRY_SIZE));
        }
      return moved;
    });
  }

  /** Decides the comparisons of an entry for the person of the match. */
  #holds(required: number): boolean {
    const column = this.#column;
    for (let index = required; index < required + 2 * REQUIRED_COMPARISONS; index += 2) {
      const code = column[index] as number;
      if (code !== ALWAYS && !holdsComparison(this.#items, code, column[index + 1] as number)) return false;
    }
    return true;
  }

  #addEntry(list: PostingList, contents: ArrayLike<number>): PostingList {
    const count = list === EMPTY_LIST ? 0 : (this.#column[list + COUNT] as number);
    const room = list === EMPTY_LIST ? 0 : (this.#column[list + ROOM] as number);
    const block = count < room ? list : this.#createBlock(list, Math.min(Math.max(1, 2 * room), MOST_ROOM));
    const entry = block + HEAD_SIZE + (block === list ? count : 0) * ENTRY_SIZE;
    this.#column[block + COUNT] = (this.#column[block + COUNT] as number) + 1;
    this.#column.set(contents, entry);
    return block;
  }

  #createBlock(next: PostingList, room: number): PostingList {
    const block = this.#end;
    this.#end += HEAD_SIZE + room * ENTRY_SIZE;
    if (this.#end > this.#column.length) this.#column = grow(this.#column, this.#end);
    this.#column[block + NEXT] = next;
    this.#column[block + ROOM] = room;
    return block;
  }
}
