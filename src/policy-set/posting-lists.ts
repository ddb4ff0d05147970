/** Lists of policies in one column: an object per list would take several times the memory and the time. */
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
 * A list is a chain of blocks, the newest first. A block has a head: the next block, the number of entries, the capacity (how many entries
 * have room) and the number of entries in the blocks after it. Then it has the first two comparisons of each entry, which exclude most people,
 * next to each other; then the rest of each entry; then the key of each.
 */
const NEXT = 0;
const COUNT = 1;
const ROOM = 2;
const OLDER = 3;
const HEAD_SIZE = 4;
const FIRST_SIZE = 2;
const REST_SIZE = 4;

/** The fields of an entry: its comparisons; the position of its policy, with a bit that states whether the policy passes where they hold; its key. */
const POLICY = REQUIRED_WORDS;
const KEY = POLICY + 1;
const FIELDS = KEY + 1;

/** Initial capacity, in integers. */
const LEAST_SIZE = 256;

/** What a policy has in a list: its fields except the key. */
export type Entry = readonly number[];

/**
 * Returns what a policy has in lists.
 *
 * @param required - As many comparisons as an entry has.
 * @param isDecided - Whether the policy passes where they hold.
 */
export function entryOf(position: Position, required: readonly number[], isDecided: boolean): Entry {
  return [...required, (position << 1) | Number(isDecided)];
}

/** In place of a bound: greater than every key. */
export const NO_BOUND = 2 ** 30;

/** The lists that the person of a match meets. */
export interface MetLists {
  readonly lists: PostingList[];
  /** By list: entries with a greater key are not met. */
  readonly bounds: number[];
}

/**
 * Stores lists of policies. Each entry has comparisons that the policy requires, which exclude most people before the rest of
 * the policy is read. After a policy is deleted, the numbers of values in its comparisons may be reused; callers must discard the outcome of its entries.
 */
export class PostingLists {
  readonly #words: ComparisonWords;
  readonly #mostRoom: number;
  #blocks = new Int32Array(LEAST_SIZE);
  #end = HEAD_SIZE;
  /** By capacity: the blocks that can be used again. */
  readonly #freed: PostingList[][] = [];
  /** In a match: where the rest of each found entry starts. */
  #rests = new Int32Array(64);

  /**
   * @param mostRoom - The greatest capacity of a block, a power of two. A full block is moved to one of twice the capacity: most lists have one block.
   */
  constructor(words: ComparisonWords, mostRoom: number) {
    this.#words = words;
    this.#mostRoom = mostRoom;
  }

  /** Memory of the lists, in bytes, without that which a match uses: 4 bytes for each entry that it may read. */
  get bytes(): number {
    return this.#blocks.byteLength;
  }

  /** Adds a policy to a list. @param key - An integer less than {@link NO_BOUND}. @returns The list. */
  add(list: PostingList, entry: Entry, key = 0): PostingList {
    const block = this.#withRoom(list);
    const index = this.#createEntry(block);
    const blocks = this.#blocks;
    for (let field = 0; field < KEY; field += 1)
      blocks[placeOf(blocks, block, index, field)] = entry[field] as number;
    blocks[placeOf(blocks, block, index, KEY)] = key;
    return block;
  }

  /** Returns the number of policies of a list, some of which may be deleted. */
  count(list: PostingList): number {
    return (this.#blocks[list + COUNT] as number) + (this.#blocks[list + OLDER] as number);
  }

  /** Returns whether a list has at least as many policies as the greatest block has room for. */
  isFull(list: PostingList): boolean {
    return this.count(list) >= this.#mostRoom;
  }

  /** Returns the keys of the entries of the newest block of a list. */
  keysOfBlock(list: PostingList): Int32Array {
    const start = placeOf(this.#blocks, list, 0, KEY);
    return this.#blocks.slice(start, start + (this.#blocks[list + COUNT] as number));
  }

  /** Divides a list. @returns The entries with a key less than the given one, and the others. */
  split(list: PostingList, key: number): readonly [less: PostingList, others: PostingList] {
    // Most lists are divided in halves, which grow further.
    let less = this.#createBlock(EMPTY_LIST, this.#mostRoom);
    let others = this.#createBlock(EMPTY_LIST, this.#mostRoom);
    for (let block = list, next: PostingList; block !== EMPTY_LIST; block = next) {
      const blocks = this.#blocks;
      next = blocks[block + NEXT] as PostingList;
      for (let index = 0; index < (blocks[block + COUNT] as number); index += 1) {
        if ((blocks[placeOf(blocks, block, index, KEY)] as number) < key)
          less = this.#copy(blocks, block, index, less);
        else others = this.#copy(blocks, block, index, others);
      }
      this.#free(block);
    }
    return [less, others];
  }

  /** Finds the policies of lists whose comparisons hold for the person of the match. */
  collect(met: MetLists, found: FoundPolicies): void {
    const blocks = this.#blocks;
    const { columns } = this.#words;
    const most = met.lists.reduce((sum, list) => sum + this.count(list), 0);
    if (most > this.#rests.length) this.#rests = grow(this.#rests, most);
    const rests = this.#rests;
    const count = findCandidates(blocks, met, columns, rests);
    for (let index = 0; index < count; index += 1) {
      const rest = rests[index] as number;
      const outcome =
        decideWord(blocks[rest] as number, columns) |
        decideWord(blocks[rest + 1] as number, columns) |
        decideWord(blocks[rest + 2] as number, columns);
      if (outcome < 0) continue;
      const policy = blocks[rest + POLICY - FIRST_SIZE] as number;
      found.add(policy >>> 1, (policy & 1) === 1);
    }
    // Nothing about the person is retained.
    rests.fill(0, 0, count);
  }

  /** Removes deleted policies. @param copy - Must call its argument once for each list, and replace the list with the result. */
  purge(
    isDeleted: (position: Position) => boolean,
    copy: (move: (list: PostingList) => PostingList) => void,
  ): void {
    const blocks = this.#blocks;
    this.#blocks = new Int32Array(Math.max(LEAST_SIZE, this.#end));
    this.#end = HEAD_SIZE;
    this.#freed.length = 0;
    copy((list) => {
      let moved = EMPTY_LIST;
      for (let block = list; block !== EMPTY_LIST; block = blocks[block + NEXT] as PostingList)
        for (let index = 0; index < (blocks[block + COUNT] as number); index += 1) {
          const policy = blocks[placeOf(blocks, block, index, POLICY)] as number;
          if (!isDeleted(policy >>> 1)) moved = this.#copy(blocks, block, index, moved);
        }
      return moved;
    });
  }

  /** Adds a copy of an entry to a list. @returns The list. */
  #copy(from: Int32Array, fromBlock: PostingList, fromIndex: number, list: PostingList): PostingList {
    const block = this.#withRoom(list);
    const index = this.#createEntry(block);
    const to = this.#blocks;
    // Not `set`, which takes longer for a few numbers.
    for (let field = 0; field < FIELDS; field += 1)
      to[placeOf(to, block, index, field)] = from[placeOf(from, fromBlock, fromIndex, field)] as number;
    return block;
  }

  /** Creates an entry in a block with room for it. @returns Its index. */
  #createEntry(block: PostingList): number {
    const count = this.#blocks[block + COUNT] as number;
    this.#blocks[block + COUNT] = count + 1;
    return count;
  }

  /** Returns a list with room for another entry. */
  #withRoom(list: PostingList): PostingList {
    if (list === EMPTY_LIST) return this.#createBlock(EMPTY_LIST, 1);
    const room = this.#blocks[list + ROOM] as number;
    if ((this.#blocks[list + COUNT] as number) < room) return list;
    if (room === this.#mostRoom) return this.#createBlock(list, room);
    const block = this.#createBlock(EMPTY_LIST, 2 * room);
    for (let index = 0; index < room; index += 1) this.#copy(this.#blocks, list, index, block);
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
      // A multiple of the size of the rest, so that in blocks with room for two or more, no rest is in two lines of the processor's cache.
      this.#end += HEAD_SIZE + ((room * FIELDS + REST_SIZE - 1) & -REST_SIZE);
      if (this.#end > this.#blocks.length) this.#blocks = grow(this.#blocks, this.#end);
    }
    this.#blocks[block + NEXT] = next;
    this.#blocks[block + COUNT] = 0;
    this.#blocks[block + ROOM] = room;
    this.#blocks[block + OLDER] = this.count(next);
    return block;
  }
}

/** Returns where a field of an entry is. */
function placeOf(blocks: Int32Array, block: PostingList, index: number, field: number): number {
  const room = blocks[block + ROOM] as number;
  if (field < FIRST_SIZE) return block + HEAD_SIZE + FIRST_SIZE * index + field;
  if (field < KEY) return block + HEAD_SIZE + FIRST_SIZE * room + REST_SIZE * index + field - FIRST_SIZE;
  return block + HEAD_SIZE + (FIRST_SIZE + REST_SIZE) * room + index;
}

/**
 * Finds the entries that are met and whose first two comparisons hold. Has literals in place of {@link HEAD_SIZE} and the like: V8 reads the constants of
 * a bundled module from memory each time, so that a match would take longer by one twentieth.
 *
 * @param rests - Where the rest of each found entry is written.
 * @returns The number of them.
 */
function findCandidates(
  blocks: Int32Array,
  { lists, bounds }: MetLists,
  columns: Int32Array,
  rests: Int32Array,
): number {
  let count = 0;
  for (let index = 0; index < lists.length; index += 1) {
    const bound = bounds[index] as number;
    for (let block = lists[index] as PostingList; block !== 0; block = blocks[block] as PostingList) {
      const first = block + 4;
      const rest = first + 2 * (blocks[block + 2] as number);
      const key = rest + 4 * (blocks[block + 2] as number);
      const last = first + 2 * (blocks[block + 1] as number);
      for (let place = first; place < last; place += 2) {
        if (decideWord(blocks[place] as number, columns) < 0) continue;
        if (decideWord(blocks[place + 1] as number, columns) < 0) continue;
        if (bound !== NO_BOUND && (blocks[key + ((place - first) >> 1)] as number) > bound) continue;
        rests[count] = rest + 2 * (place - first);
        count += 1;
      }
    }
  }
  return count;
}
