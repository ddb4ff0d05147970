/** Files of JSON that a person wrote: read, and refused with every problem and its place. */
import { readFileSync } from 'node:fs';
import { CommandError, EXIT } from './output.js';

/** What is wrong at a place of a file. */
interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** @throws {CommandError} When the file cannot be read or is no JSON. */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
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
