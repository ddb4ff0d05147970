/** What was read stays known for as long as the database itself says that nothing was committed since (V11, S148). */
import type { AskedMark } from '../service/ports/store/asked-mark.js';

/** A value that was read, and about how many characters it keeps alive. */
export interface Read<Value> {
  readonly value: Value;
  readonly weight: number;
}

export interface ReadMemory {
  /** Asks whether anything was committed, for all that is read next in this turn of the event loop. */
  ask(): AskedMark;
  /**
   * A read that is repeated only where something was committed since it was last done, or where it was forgotten to make room. The
   * value is the same object each time: nobody may change it.
   *
   * @returns Asks before it answers, unless it is handed the mark of this turn.
   */
  remember<Value>(
    read: (key: string) => Promise<Read<Value>>,
  ): (key: string, asked?: AskedMark) => Promise<Value>;
}

/** How a memory learns what time it is with what is read. */
export interface Freshness {
  /** Another number after each commit of anybody to what is read. */
  readonly revision: () => number;
  /** Calls back when this turn of the event loop is over. */
  readonly afterTurn: (callback: () => void) => void;
}

const DEFAULT_CAPACITY = 32 * 1_048_576;

/** Beside its value, an entry is its key and its place. */
const ENTRY_WEIGHT = 256;

/**
 * An answer is never older than the question: what a revocation was acknowledged for is not read from memory.
 *
 * @param capacity - In characters, for all reads together. Where it is full, everything is forgotten.
 */
export function createReadMemory(
  { revision, afterTurn }: Freshness,
  capacity: number = DEFAULT_CAPACITY,
): ReadMemory {
  const forgetting: (() => void)[] = [];
  let known = Number.NaN;
  let thisTurn: AskedMark | undefined;
  let weight = 0;
  const forget = () => {
    for (const clear of forgetting) clear();
    weight = 0;
  };
  const ask = (): AskedMark => {
    const now = revision();
    if (now !== known) {
      forget();
      known = now;
    }
    if (thisTurn === undefined) {
      thisTurn = Object.freeze({});
      afterTurn(() => {
        thisTurn = undefined;
      });
    }
    return thisTurn;
  };
  return {
    ask,
    remember: <Value>(read: (key: string) => Promise<Read<Value>>) => {
      const values = new Map<string, Value>();
      forgetting.push(() => values.clear());
      return async (key, asked) => {
        if (asked === undefined || asked !== thisTurn) ask();
        const remembered = values.get(key);
        if (remembered !== undefined) return remembered;
        const asOf = known;
        const { value, weight: size } = await read(key);
        // It may be newer than what was asked for, never older; what came after another commit is not told as of that one.
        if (asOf !== known || value === undefined) return value;
        const added = ENTRY_WEIGHT + key.length + size;
        if (weight + added > capacity) forget();
        if (added <= capacity && !values.has(key)) {
          values.set(key, value);
          weight += added;
        }
        return value;
      };
    },
  };
}
