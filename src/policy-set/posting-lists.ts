/** Lists of policies in one column: a list per object would take several times the memory and the time. */
import type { Position } from './access-index.js';
import { type ComparisonWords, decideWord } from './comparison-words.js';
import type { FoundPolicies } from './found-policies.js';
import { grow } from './growing.js';

/** Where a list starts in the column; {@link EMPTY_LIST} for one without policies. */
export type PostingList = number;

export const EMPTY_LIST: PostingList = 0;

/** Number of comparisons in an entry. Each excludes people before the program of a policy is read. */
export const REQUIRED_WORDS = 5;

/**
 * A list is a chain of blocks, the newest first: the next block, the number of entries, room for entries, and the first two comparisons of each
 * entry, which exclude most people. These are next to each other in memory.
 */
const NEXT = 0;
const COUNT = 1;
const ROOM = 2;
const HEAD_SIZE = 4;
const ENTRY_SIZE = 2;
/** The rest of an entry: further comparisons, and the position of a policy with a bit that states whether the entry decides it. */
const THIRD = 0;
const FOURTH = 1;
const FIFTH = 2;
const POLICY = 3;
const REST_SIZE = 4;

/** The columns of all entries. */
interface Columns {
  readonly blocks: Int32Array;
  readonly rests: Int32Array;
  readonly keys: Int32Array;
}

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
  #rests = new Int32Array(restOf(64));
  /** The keys of entries. */
  #keys = new Int32Array(keyOf(64));
  #end = ENTRY_SIZE;
  /** By room: the blocks that were moved. */
  readonly #freed: PostingList[][] = [];

  /**
   * @param mostRoom - A full block is moved to one of twice the room, up to this: most lists are read from one place. A power of two.
   */
  constructor(words: ComparisonWords, mostRoom: number) {
    this.#words = words;
    this.#mostRoom = mostRoom;
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#blocks.byteLength + this.#rests.byteLength + this.#keys.byteLength;
  }

  /** Adds a policy to a list. @param key - An integer, for {@link split}. @returns The list. */
  add(list: PostingList, { position, required, isDecided }: Entry, key = 0): PostingList {
    const block = this.#withRoom(list);
    const place = this.#createEntry(block);
    this.#blocks[place] = required[0] as number;
    this.#blocks[place + 1] = required[1] as number;
    const rest = restOf(place);
    this.#rests[rest + THIRD] = required[2] as number;
    this.#rests[rest + FOURTH] = required[3] as number;
    this.#rests[rest + FIFTH] = required[4] as number;
    this.#rests[rest + POLICY] = (position << 1) | Number(isDecided);
    this.#keys[keyOf(place)] = key;
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
    const start = keyOf(list + HEAD_SIZE);
    return this.#keys.slice(start, start + (this.#blocks[list + COUNT] as number));
  }

  /** Divides a list. @returns The entries with a key less than the given one, and the others. */
  split(list: PostingList, key: number): readonly [less: PostingList, others: PostingList] {
    // Most lists are divided in halves, which grow further.
    let less = this.#createBlock(EMPTY_LIST, this.#mostRoom);
    let others = this.#createBlock(EMPTY_LIST, this.#mostRoom);
    for (let block = list, next: PostingList; block !== EMPTY_LIST; block = next) {
      next = this.#blocks[block + NEXT] as PostingList;
      const columns = this.#columns();
      for (const place of placesOf(columns.blocks, block)) {
        if ((columns.keys[keyOf(place)] as number) < key) less = this.#copy(columns, place, less);
        else others = this.#copy(columns, place, others);
      }
      this.#free(block);
    }
    return [less, others];
  }

  /** Finds the policies of lists whose comparisons hold for the person of the match. */
  collect(lists: readonly PostingList[], found: FoundPolicies): void {
    const blocks = this.#blocks;
    const { columns } = this.#words;
    for (const list of lists)
      for (let block = list; block !== EMPTY_LIST; block = blocks[block + NEXT] as PostingList) {
        const last = block + HEAD_SIZE + (blocks[block + COUNT] as number) * ENTRY_SIZE;
        for (let place = block + HEAD_SIZE; place < last; place += ENTRY_SIZE) {
          if (decideWord(blocks[place] as number, columns) < 0) continue;
          if (decideWord(blocks[place + 1] as number, columns) < 0) continue;
          this.#collectEntry(restOf(place), columns, found);
        }
      }
  }

  /** Returns these lists without deleted policies. @param copy - Calls its argument for each list, and stores the result in place of it. */
  purge(
    isDeleted: (position: Position) => boolean,
    copy: (move: (list: PostingList) => PostingList) => void,
  ): void {
    const columns = this.#columns();
    const { blocks, rests } = columns;
    this.#blocks = new Int32Array(Math.max(64, this.#end));
    this.#rests = new Int32Array(restOf(this.#blocks.length));
    this.#keys = new Int32Array(keyOf(this.#blocks.length));
    this.#end = ENTRY_SIZE;
    this.#freed.length = 0;
    copy((list) => {
      let moved = EMPTY_LIST;
      for (let block = list; block !== EMPTY_LIST; block = blocks[block + NEXT] as PostingList)
        for (const place of placesOf(blocks, block)) {
          const policy = rests[restOf(place) + POLICY] as number;
          if (!isDeleted(policy >>> 1)) moved = this.#copy(columns, place, moved);
        }
      return moved;
    });
  }

  /** Finds the policy of an entry whose first two comparisons hold, unless one of the others fails. */
  #collectEntry(rest: number, columns: Int32Array, found: FoundPolicies): void {
    const rests = this.#rests;
    const outcome =
      decideWord(rests[rest + THIRD] as number, columns) |
      decideWord(rests[rest + FOURTH] as number, columns) |
      decideWord(rests[rest + FIFTH] as number, columns);
    if (outcome < 0) return;
    const policy = rests[rest + POLICY] as number;
    found.add(policy >>> 1, (policy & 1) === 1);
  }

  #columns(): Columns {
    return { blocks: this.#blocks, rests: this.#rests, keys: this.#keys };
  }

  /** Adds a copy of an entry to a list. @returns The list. */
  #copy({ blocks, rests, keys }: Columns, place: number, list: PostingList): PostingList {
    const block = this.#withRoom(list);
    const created = this.#createEntry(block);
    const [from, to] = [restOf(place), restOf(created)];
    // Not `set`, which takes longer for a few numbers.
    for (let index = 0; index < ENTRY_SIZE; index += 1)
      this.#blocks[created + index] = blocks[place + index] as number;
    for (let index = 0; index < REST_SIZE; index += 1)
      this.#rests[to + index] = rests[from + index] as number;
    this.#keys[keyOf(created)] = keys[keyOf(place)] as number;
    return block;
  }

  /** Adds an entry to a block with room for it. @returns Its place. */
  #createEntry(block: PostingList): number {
    const count = this.#blocks[block + COUNT] as number;
    this.#blocks[block + COUNT] = count + 1;
    return block + HEAD_SIZE + count * ENTRY_SIZE;
  }

  /** Returns a list with room for another entry. */
  #withRoom(list: PostingList): PostingList {
    if (list === EMPTY_LIST) return this.#createBlock(EMPTY_LIST, 1);
    const room = this.#blocks[list + ROOM] as number;
    if ((this.#blocks[list + COUNT] as number) < room) return list;
    if (room === this.#mostRoom) return this.#createBlock(list, room);
    const block = this.#createBlock(EMPTY_LIST, 2 * room);
    const [from, to] = [list + HEAD_SIZE, block + HEAD_SIZE];
    const last = from + room * ENTRY_SIZE;
    this.#blocks.copyWithin(to, from, last);
    this.#rests.copyWithin(restOf(to), restOf(from), restOf(last));
    this.#keys.copyWithin(keyOf(to), keyOf(from), keyOf(last));
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
      this.#end += HEAD_SIZE + room * ENTRY_SIZE;
      if (this.#end > this.#blocks.length) {
        this.#blocks = grow(this.#blocks, this.#end);
        this.#rests = grow(this.#rests, restOf(this.#blocks.length));
        this.#keys = grow(this.#keys, keyOf(this.#blocks.length));
      }
    }
    this.#blocks[block + NEXT] = next;
    this.#blocks[block + COUNT] = 0;
    this.#blocks[block + ROOM] = room;
    return block;
  }
}

/** Returns the places of the entries of a block: where their comparisons are. */
function placesOf(blocks: Int32Array, block: PostingList): readonly number[] {
  return Array.from(
    { length: blocks[block + COUNT] as number },
    (_, index) => block + HEAD_SIZE + index * ENTRY_SIZE,
  );
}

/** Returns where the rest of the entry at a place is. */
function restOf(place: number): number {
  return (place >> 1) * REST_SIZE;
}

/** Returns where the key of the entry at a place is. */
function keyOf(place: number): number {
  return place >> 1;
}
