/**
 * Writes items in batches, one after another. A batch has the items of one event-loop turn, or all that arrive while the previous batch is being
 * written.
 */
import type { SetImmediate } from './ports/ports.js';

/** Collects items and writes them. */
export interface BatchWriter<Item> {
  /** Resolves once the items are written; rejects if writing fails. */
  write(items: readonly Item[]): Promise<void>;
  /** Resolves once all pending writes have succeeded or failed. Never rejects. */
  flush(): Promise<void>;
}

/** Items that are written together. */
interface Batch<Item> {
  readonly items: Item[];
  readonly written: Promise<void>;
}

/**
 * Creates a writer.
 *
 * @param writeAll - Writes the items of a batch.
 * @param setImmediate - Delays a write to the end of the event-loop turn.
 */
export function createBatchWriter<Item>(
  writeAll: (items: readonly Item[]) => Promise<void>,
  setImmediate: SetImmediate,
): BatchWriter<Item> {
  let open: Batch<Item> | undefined;
  let lastWrite: Promise<void> = Promise.resolve();
  const begin = (): Batch<Item> => {
    const items: Item[] = [];
    const ready = Promise.all([new Promise<void>(setImmediate), lastWrite]);
    const written = ready.then(() => {
      open = undefined;
      return writeAll(items);
    });
    lastWrite = written.catch(() => undefined);
    return { items, written };
  };
  return {
    write: (items) => {
      if (items.length === 0) return Promise.resolve();
      open ??= begin();
      open.items.push(...items);
      return open.written;
    },
    // Each write waits for the one before.
    flush: () => lastWrite,
  };
}
