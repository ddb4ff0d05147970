/** A finding of `proviso doctor`. */
import { CommandError } from '../output.js';

export type Level = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly level: Level;
  /** What was checked. */
  readonly subject: string;
  /** What was found. Contains no secret and no stored value. */
  readonly found: string;
  /** What is required, and how to achieve it. */
  readonly remedy?: string;
}

/** Creates findings about a subject. */
export function findingsAbout(subject: string) {
  return {
    ok: (found: string): Finding => ({ level: 'ok', subject, found }),
    warn: (found: string, remedy: string): Finding => ({ level: 'warn', subject, found, remedy }),
    fail: (found: string, remedy: string): Finding => ({ level: 'fail', subject, found, remedy }),
  };
}

/**
 * Runs a check, and reports an error as a finding.
 *
 * @param explain - Converts an error to one whose message can be shown.
 */
export async function runCheck(
  subject: string,
  check: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
  explain: (error: unknown) => CommandError = asCommandError,
): Promise<readonly Finding[]> {
  try {
    const found = await check();
    return 'level' in found ? [found] : found;
  } catch (error) {
    const { message } = error instanceof CommandError ? error : explain(error);
    return [{ level: 'fail', subject, found: toLine(message) }];
  }
}

/** Formats a finding as one line. */
export function formatFinding({ level, subject, found, remedy }: Finding, width: number): string {
  return `${level.padEnd(4)}  ${subject.padEnd(width)}  ${found}${remedy === undefined ? '' : `; ${remedy}`}`;
}

function toLine(message: string): string {
  return message
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

function asCommandError(error: unknown): CommandError {
  return new CommandError(error instanceof Error ? error.message : String(error));
}
