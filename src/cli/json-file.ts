/** Reads the files that a command names: JSON, and files that only their owner may read. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { CommandError, EXIT } from './output.js';

/** A problem and its location in a file. */
interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** @throws {CommandError} If the file cannot be read or is not valid JSON. */
export function readJsonFile(file: string): unknown {
  return readJsonFileWithMode(file).json;
}

/** Reads JSON that may contain secrets. @throws {CommandError} If the file cannot be read or is not valid JSON. */
export function readJsonFileWithMode(file: string): Pick<ReadFile, 'isPrivate'> & { readonly json: unknown } {
  try {
    const { text, isPrivate } = readFileWithMode(file);
    return { json: JSON.parse(text) as unknown, isPrivate };
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new CommandError(
      `${file} ${reason}: ${error instanceof Error ? error.message : error}`,
      EXIT.usage,
    );
  }
}

/** Formats the problems of a file, one per line. @param count - Their total number, if `problems` is truncated. */
export function formatProblems(file: string, problems: readonly Problem[], count = problems.length): string {
  const lines = problems.map(
    ({ pointer, message }) => `  ${pointer === '' ? '(root)' : pointer}: ${message}`,
  );
  const rest = count > problems.length ? [`  and ${count - problems.length} more`] : [];
  return [`${file} is invalid:`, ...lines, ...rest].join('\n');
}

/** Any permission of the group or of others. */
const GROUP_AND_OTHERS = 0o077;

/** A text file and whether it is private. */
export interface ReadFile {
  readonly text: string;
  /** Whether only the file's owner has access to it. */
  readonly isPrivate: boolean;
}

/** Requirement for a file with a secret; follows the name of the file in a message. */
export const MUST_BE_PRIVATE = 'must be readable by its owner only (chmod 600)';

/** Reads a file and its mode through one descriptor, so that both belong to the same file. @throws {Error} */
export function readFileWithMode(path: string): ReadFile {
  const descriptor = openSync(path, 'r');
  try {
    const isPrivate = (fstatSync(descriptor).mode & GROUP_AND_OTHERS) === 0;
    return { text: readFileSync(descriptor, 'utf8'), isPrivate };
  } finally {
    closeSync(descriptor);
  }
}
