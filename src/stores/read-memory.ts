/** What was read stays known for as long as the database itself says that nothing was committed since (V11, S148). */

/** A value that was read, and about how many characters it keeps alive. */
export interface Read<Value> {
  readonly value: Value;
  readonly weight: number;
}

export interface ReadMemory {
  /**
   * A read that is repeated only where something was committed since it was last done, or where it was forgotten to make room. The
   * value is the same object each time: nobody may change it.
   */
  remember<Value>(read: (key: string) => Promise<Read<Value>>): (key: string) => Promise<Value>;
}

const DEFAULT_CAPACITY = 32 * 1_048_576;

/** Beside its value, an entry is its key and its place: a read that found nothing weighs too. */
const ENTRY_WEIGHT = 256;

/**
 * @param revision - Another number after each commit of anybody to what is read. Asked before every answer, so an answer is never older
 *   than the question: what a revocation was acknowledged for is not read from memory.
 * @param capacity - In characters, for all reads together. Where it is full, everything is forgotten.
 */
export function createReadMemory(revision: () => number, capacity: number = DEFAULT_CAPACITY): ReadMemory {
  const forgetting: (() => void)[] = [];
  let known = Number.NaN;
  let weight = 0;
  const forget = () => {
    for (const clear of forgetting) clear();
    weight = 0;
  };
  return {
    remember: <Value>(read: (key: string) => Promise<Read<Value>>) => {
      const values = new Map<string, Value>();
      forgetting.push(() => values.clear());
      return async (key) => {
        const asked = revision();
        if (asked !== known) {
          forget();
          known = asked;
        }
        const remembered = values.get(key);
        if (remembered !== undefined) return remembered;
        const found = await read(key);
        // What was read meanwhile may be newer than `asked`, never older; it is not told as of a revision that came later.
        if (asked !== known || found.value === undefined) return found.value;
        const added = ENTRY_WEIGHT + key.length + found.weight;
        if (weight + added > capacity) forget();
        if (added <= capacity && !values.has(key)) {
          values.set(key, found.value);
          weight += added;
        }
        return found.value;
      };
    },
  };
}
