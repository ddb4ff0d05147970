/** Reads what a file system knows about a path, if it exists. */
import { existsSync, type Stats, statSync } from 'node:fs';

/** Returns the metadata of a file or folder; `undefined` if the path does not exist, or leads through a file. */
export function findStats(path: string): Stats | undefined {
  // `statSync` throws for a path through a file, regardless of `throwIfNoEntry`.
  return existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
}
