/** Files of JSON that a person wrote: read, and refused with every problem and its place. */
import { CommandError, EXIT } from './output.js';
import { type ReadFile, readFileWithMode } from './private-file.js';

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
export function listProblems(file: string, problems: readonly Problem[], count = problems.length): string {
  const lines = problems.map(
    ({ pointer, message }) => `  ${pointer === '' ? '(whole)' : pointer}: ${message}`,
  );
  const rest = count > problems.length ? [`  and ${count - problems.length} more`] : [];
  return [`${file} is not right:`, ...lines, ...rest].join('\n');
}
