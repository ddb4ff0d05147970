/** Reading files that a command names: JSON, and files that only their owner may read. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { CommandError, EXIT } from './output.js';

/** What is wrong at a place of a file. */
interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** @throws {CommandError} When the file cannot be read or is no JSON. */
export function readJsonFile(file: string): unknown {
  return readJsonFileWithMode(file).json;
}

/** Reads JSON that may hold secrets. @throws {CommandError} When the file cannot be read or is no JSON. */
export function readJsonFileWithMode(file: string): Pick<ReadFile, 'isPrivate'> & { readonly json: unknown } {
  try {
    const { text, isPrivate } = readFileWithMode(file);
    return { json: JSON.parse(text) as unknown, isPrivate };
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is no JSON' : 'cannot be read';
    throw new CommandError(
      `${file} ${reason}: ${error instanceof Error ? error.message : error}`,
      EXIT.usage,
    );
  }
}

/** Every problem of a file, a line each. @param count - How many there are, where not all are told. */
export function formatProblems(file: string, problems: readonly Problem[], count = problems.length): string {
  const lines = problems.map(
    ({ pointer, message }) => `  ${pointer === '' ? '(whole)' : pointer}: ${message}`,
  );
  const rest = count > problems.length ? [`  and ${count - problems.length} more`] : [];
  return [`${file} is not right:`, ...lines, ...rest].join('\n');
}

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
