/** Files that may hold secrets: read together with who else can read them (S196). */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** Any right of the group or of others. */
const GROUP_AND_OTHERS = 0o077;

/** A text file and its protection. */
export interface ReadFile {
  readonly text: string;
  /** Whether only the file's owner has access to it. */
  readonly isPrivate: boolean;
}

/** What a file with a secret must be; the end of a sentence that begins with the file. */
export const MUST_BE_PRIVATE = 'must be readable by its owner only (chmod 600)';

/** Reads a file. The mode is that of the file that is read, also where the path is replaced meanwhile. @throws {Error} */
export function readFileWithMode(path: string): ReadFile {
  const descriptor = openSync(path, 'r');
  try {
    const isPrivate = (fstatSync(descriptor).mode & GROUP_AND_OTHERS) === 0;
    return { text: readFileSync(descriptor, 'utf8'), isPrivate };
  } finally {
    closeSync(descriptor);
  }
}
