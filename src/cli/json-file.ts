/** Reads the files that a command names: JSON, and files that only their owner may read. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { buffer as readStream } from 'node:stream/consumers';
import { lineAndColumn, readJsonText } from '../util/json-text.js';
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

/** The content of a file. */
export interface LocatedJson {
  readonly json: unknown;
  /** Returns the line of the value at a JSON Pointer, or of the nearest enclosing value, from 1. */
  lineOf(pointer: string): number;
}

/** Reads JSON with the line of each value. @throws {CommandError} If the file cannot be read or is not valid JSON. */
export function readLocatedJson(file: string): LocatedJson {
  const { text } = readFileOrFail(file);
  const { spanOf } = readJsonText(text);
  return {
    json: parseJsonText(file, text),
    lineOf: (pointer) => lineAndColumn(text, spanOf(pointer).from).line,
  };
}

/**
 * Reads JSON, and whether the file is private. The caller must reject a file that contains secrets and is not private.
 *
 * @throws {CommandError} If the file cannot be read or is not valid JSON.
 */
export function readJsonFileWithMode(file: string): Pick<ReadFile, 'isPrivate'> & { readonly json: unknown } {
  const { text, isPrivate } = readFileOrFail(file);
  return { json: parseJsonText(file, text), isPrivate };
}

/**
 * Reads a text file, or standard input for `-`.
 *
 * @throws {CommandError} If the file cannot be read or is not UTF-8.
 */
export async function readTextInput(file: string): Promise<string> {
  return file === '-'
    ? decodeOrFail('standard input', await readStream(process.stdin))
    : readFileOrFail(file).text;
}

/** Reads a text file. @throws {CommandError} If it cannot be read or is not UTF-8. */
export function readTextFile(file: string): string {
  return readFileOrFail(file).text;
}

/** Reads a file with a secret. @throws {CommandError} If it cannot be read, is not UTF-8, or is not private: see {@link isPrivateFile}. */
export function readPrivateFile(file: string): string {
  const { text, isPrivate } = readFileOrFail(file);
  if (isPrivate) return text;
  throw new CommandError(`${file} ${MUST_BE_PRIVATE}`, EXIT.usage);
}

/** A text file and whether it is private. */
interface TextFile extends Pick<ReadFile, 'isPrivate'> {
  readonly text: string;
}

function readFileOrFail(file: string): TextFile {
  let read: ReadFile;
  try {
    read = readFileWithMode(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  return { text: decodeOrFail(file, read.bytes), isPrivate: read.isPrivate };
}

function unreadable(name: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : error;
  return new CommandError(`${name} cannot be read: ${reason}`, EXIT.usage);
}

function decodeOrFail(name: string, bytes: Uint8Array): string {
  let text: string | undefined;
  try {
    text = decodeUtf8(bytes);
  } catch (error) {
    throw unreadable(name, error);
  }
  if (text === undefined) throw new CommandError(`${name} ${MUST_BE_UTF8}`, EXIT.usage);
  return text;
}

/** Requirement for a text file; follows the name of the file in a message. */
export const MUST_BE_UTF8 = 'must be encoded in UTF-8';

/**
 * Decodes UTF-8 without the byte order mark that editors on Windows write. Replacing what is not UTF-8 would change values without notice.
 *
 * @returns `undefined` if the bytes are not UTF-8.
 * @throws {Error} If the text is longer than a string can be.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Parses JSON. A repeated member name is rejected, since one of its values would be ignored.
 *
 * @param name - The name of the text in messages.
 * @throws {CommandError} If the text is not valid JSON, with the location of the first fault.
 */
export function parseJsonText(name: string, text: string): unknown {
  const { value, problem } = readJsonText(text);
  if (problem === undefined) return value;
  const { line, column } = lineAndColumn(text, problem.span.from);
  const message = `${name} is not valid JSON (line ${line}, column ${column}): ${problem.message}`;
  throw new CommandError(message, EXIT.usage);
}

/** How many problems of a file are listed: as many as those of a query. */
export const MAX_LISTED_PROBLEMS = 50;

/** Formats the first problems of a file, one per line, and the number of the others. @param count - Their total number, if `problems` is truncated. */
export function formatProblems(file: string, problems: readonly Problem[], count = problems.length): string {
  const listed = problems.slice(0, MAX_LISTED_PROBLEMS);
  const lines = listed.map(({ pointer, message }) => `  ${pointer === '' ? '(root)' : pointer}: ${message}`);
  const rest = count > listed.length ? [`  and ${count - listed.length} more`] : [];
  return [`${file} is invalid:`, ...lines, ...rest].join('\n');
}

/** Any permission of the group or of others. */
const GROUP_AND_OTHERS = 0o077;
/** Any permission of the group or of others, except that the group may read. */
const MORE_THAN_GROUP_READS = 0o037;
const ROOT = 0;

/** The content of a file, and whether the file is private. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** Whether the file may contain a secret: see {@link isPrivateFile}. */
  readonly isPrivate: boolean;
}

/**
 * Returns whether only the file's owner has access; `true` on Windows, which has no file modes. If root owns the file and the process does not
 * run as root, the file's group may read it as well: Kubernetes and systemd pass secrets to a service in such files, and libpq has the same rule
 * for keys.
 *
 * @param user - Effective user id of the process; `undefined` on systems without users.
 */
export function isPrivateFile(
  { mode, uid }: { readonly mode: number; readonly uid: number },
  user: number | undefined,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform === 'win32') return true;
  const isPassedByRoot = uid === ROOT && user !== undefined && user !== ROOT;
  return (mode & (isPassedByRoot ? MORE_THAN_GROUP_READS : GROUP_AND_OTHERS)) === 0;
}

/** Requirement for a file with a secret; follows the name of the file in a message. */
export const MUST_BE_PRIVATE = 'must be accessible to its owner only (chmod 600)';

/** Reads a file and its mode through one descriptor, so that both belong to the same file. @throws {Error} */
export function readFileWithMode(path: string): ReadFile {
  const descriptor = openSync(path, 'r');
  try {
    const isPrivate = isPrivateFile(fstatSync(descriptor), process.geteuid?.());
    return { bytes: readFileSync(descriptor), isPrivate };
  } finally {
    closeSync(descriptor);
  }
}
