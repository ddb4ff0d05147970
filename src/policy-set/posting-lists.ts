/** Lists of policies in one column: a list per object would take several times the memory and the time. */
import type { Position } from './access-index.js';
import { type ComparisonWords, decideWord } from './comparison-words.js';
import type { FoundPolicies } from './found-policies.js';
import { grow } from './growing.js';

/** Where a list starts in the column; {@link EMPTY_LIST} for one without policies. */
export type PostingList = number;

export const EMPTY_LIST: PostingList = 0;

/** Number of comparisons in an entry. Each excludes people before the program of a policy is read. */
export const REQUIRED_WORDS = 3;

/**
 * A list is a chain of blocks, the newest first: the next block, the number of entries, room for entries, and the first comparison of each entry,
 * which excludes most people. These are next to each other in memory.
 */
const NEXT = 0;
const COUNT = 1;
const ROOM = 2;
const HEAD_SIZE = 3;
/** The rest of an entry: further comparisons, the position of a policy with a bit that states whether the entry decides it, and the key. */
const SECOND = 0;
const THIRD = 1;
const POLICY = 2;
const KEY = 3;
const REST_SIZE = 4;

/** What a policy has in a list. */
export interface Entry {
  readonly position: Position;
  /** As many comparisons as an entry has. */
  readonly required: readonly number[];
  /** Whether the policy passes where they hold. */
  readonly isDecided: boolean;
}

/**
 * Stores lists of policies. Each entry has comparisons that the policy requires, which exclude most people before the rest of
 * the policy is read. After the policy was deleted, an operand may be another value; the outcome is not used then.
 */
export class PostingLists {
  readonly #words: ComparisonWords;
  readonly #mostRoom: number;
  #blocks = new Int32Array(64);
  #rests = new Int32Array(64 * REST_SIZE);
  #end = 1;
  /** By room: the blocks that were moved. */
  readonly #freed: PostingList[][] = [];
  /** The entries that a match has not excluded. */
  #left = new Int32Array(64);

  /**
   * @param mostRoom - A full block is moved to one of twice the room, up to this: most lists are read from one place. A power of two.
   */
  constructor(words: ComparisonWords, mostRoom: number) {
    this.#words = words;
    this.#mostRoom = mostRoom;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#blocks.byteLength + this.#rests.byteLength + this.#left.byteLength;
  }

  /** Adds a policy to a list. @param key - An integer, for {@link split}. @returns The list. */
  add(list: PostingList, { position, required, isDecided }: Entry, key = 0): PostingList {
    const block = this.#withRoom(list);
    const place = this.#createEntry(block);
    this.#blocks[place] = required[0] as number;
    const rest = place * REST_SIZE;
    this.#rests[rest + SECOND] = required[1] as number;
    this.#rests[rest + THIRD] = required[2] as number;
    this.#rests[rest + POLICY] = (position << 1) | Number(isDecided);
    this.#rests[rest + KEY] = key;
    return block;
  }

  /** Returns the number of policies of a list, some of which may be deleted. */
  count(list: PostingList): number {
    let count = 0;
    for (let block = list; block !== EMPTY_LIST; block = this.#blocks[block + NEXT] as PostingList)
      count += this.#blocks[block + COUNT] as number;
    return count;
  }

  /** Returns whether a list has as many entries as fit into a block. */
  isFull(list: PostingList): boolean {
    return this.#blocks[list + COUNT] === this.#mostRoom;
  }

  /** Returns the keys of the entries of the newest block of a list. */
  keysOfBlock(list: PostingList): Int32Array {
    const count = this.#blocks[list + COUNT] as number;
    return Int32Array.from(
      { length: count },
      (_, index) => this.#rests[(list + HEAD_SIZE + index) * REST_SIZE + KEY] as number,
    );
  }

  /** Divides a list. @returns The entries with a key less than the given one, and the others. */
  split(list: PostingList, key: number): readonly [less: PostingList, others: PostingList] {
    let [less, others] = [EMPTY_LIST, EMPTY_LIST];
    for (let block = list, next: PostingList; block !== EMPTY_LIST; block = next) {
      next = this.#blocks[block + NEXT] as PostingList;
      for (let index = 0; index < (this.#blocks[block + COUNT] as number); index += 1) {
        const place = block + HEAD_SIZE + index;
        if ((this.#rests[place * REST_SIZE + KEY] as number) < key)
          less = this.#copy(this.#blocks, this.#rests, place, less);
        else others = this.#copy(this.#blocks, this.#rests, place, others);
      }
      this.#free(block);
    }
    return [less, others];
  }

  /** Finds the policies of lists whose comparisons hold for the person of the match. */
  collect(lists: readonly PostingList[], found: FoundPolicies): void {
    let size = 0;
    for (const list of lists) size += this.count(list);
    if (size >= this.#left.length) this.#left = grow(this.#left, size + 1);
    const left = this.#left;
    const blocks = this.#blocks;
    const rests = this.#rests;
    const { columns } = this.#words;
    // Whether a comparison holds cannot be predicted: a branch for each would take longer than to decide it.
    let end = 0;
    for (const list of lists)
      for (let block = list; block !== EMPTY_LIST; block = blocks[block + NEXT] as PostingList) {
        const last = block + HEAD_SIZE + (blocks[block + COUNT] as number);
        for (let place = block + HEAD_SIZE; place < last; place += 1) {
          left[end] = place;
          end += 1 + (decideWord(blocks[place] as number, columns) >> 31);
        }
      }
    const first = end;
    end = 0;
    for (let index = 0; index < first; index += 1) {
      const rest = (left[index] as number) * REST_SIZE;
      left[end] = rest;
      const outcome =
        decideWord(rests[rest + SECOND] as number, columns) |
        decideWord(rests[rest + THIRD] as number, columns);
      end += 1 + (outcome >> 31);
    }
    for (let index = 0; index < end; index += 1) {
      const policy = rests[(left[index] as number) + POLICY] as number;
      found.add(policy >>> 1, (policy & 1) === 1);
    }
    // Nothing about the person is retained.
    left.fill(0, 0, size + 1);
  }

  /** Returns these lists without deleted policies. @param copy - Calls its argument for each list, and stores the result in place of it. */
  purge(
    isDeleted: (position: Position) => boolean,
    copy: (move: (list: PostingList) => PostingList) => void,
  ): void {
    const [blocks, rests] = [this.#blocks, this.#rests];
    this.#blocks = new Int32Array(Math.max(64, this.#end));
    this.#rests = new Int32Array(this.#blocks.length * REST_SIZE);
    this.#end = 1;
    this.#freed.length = 0;
    copy((list) => {
      let moved = EMPTY_LIST;
      for (let block = list; block !== EMPTY_LIST; block = blocks[block + NEXT] as PostingList)
        for (let index = 0; index < (blocks[block + COUNT] as number); index += 1) {
          const place = block + HEAD_SIZE + index;
          const policy = rests[place * REST_SIZE + POLICY] as number;
          if (!isDeleted(policy >>> 1)) moved = this.#copy(blocks, rests, place, moved);
        }
      return moved;
    });
  }

  /** Adds a copy of an entry to a list. @returns The list. */
  #copy(blocks: Int32Array, rests: Int32Array, place: number, list: PostingList): PostingList {
    const first = blocks[place] as number;
    const rest = rests.subarray(place * REST_SIZE, (place + 1) * REST_SIZE);
    const block = this.#withRoom(list);
    const created = this.#createEntry(block);
    this.#blocks[created] = first;
    this.#rests.set(rest, created * REST_SIZE);
    return block;
  }

  /** Adds an entry to a block with room for it. @returns Its place. */
  #createEntry(block: PostingList): number {
    const count = this.#blocks[block + COUNT] as number;
    this.#blocks[block + COUNT] = count + 1;
    return block + HEAD_SIZE + count;
  }

  /** Returns a list with room for another entry. */
  #withRoom(list: PostingList): PostingList {
    if (list === EMPTY_LIST) return this.#createBlock(EMPTY_LIST, 1);
    const room = this.#blocks[list + ROOM] as number;
    if ((this.#blocks[list + COUNT] as number) < room) return list;
    if (room === this.#mostRoom) return this.#createBlock(list, room);
    const block = this.#createBlock(EMPTY_LIST, 2 * room);
    const [from, to] = [list + HEAD_SIZE, block + HEAD_SIZE];
    this.#blocks.copyWithin(to, from, from + room);
    this.#rests.copyWithin(to * REST_SIZE, from * REST_SIZE, (from + room) * REST_SIZE);
    this.#blocks[block + COUNT] = room;
    this.#free(list);
    return block;
  }

  #free(block: PostingList): void {
    const room = this.#blocks[block + ROOM] as number;
    this.#freed[room] ??= [];
    this.#freed[room].push(block);
  }

  #createBlock(next: PostingList, room: number): PostingList {
    let block = this.#freed[room]?.pop();
    if (block === undefined) {
      block = this.#end;
      this.#end += HEAD_SIZE + room;
      if (this.#end > this.#blocks.length) {
        this.#blocks = grow(this.#blocks, this.#end);
        this.#rests = grow(this.#rests, this.#blocks.length * REST_SIZE);
      }
    }
    this.#blocks[block + NEXT] = next;
    this.#blocks[block + COUNT] = 0;
    this.#blocks[block + ROOM] = room;
    return block;
  }
}
