/** Writes results to standard output and messages to standard error, and defines the exit codes. */

/** Exit codes. */
export const EXIT = {
  ok: 0,
  /** The query did not pass, or the command has findings (`lint`, `fmt --check`, `test`), failed or was interrupted. */
  failed: 1,
  /** Invalid input: arguments, files or settings. */
  usage: 2,
} as const;

/** Ends the command with a message on standard error and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Writes a result to standard output. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a result as JSON with `--json`, otherwise as text. */
export function printOutput(
  { json = false }: { readonly json?: boolean },
  result: unknown,
  text: string,
): void {
  printResult(json ? JSON.stringify(result, undefined, 2) : text);
}

/** Replaces control characters, which a terminal executes, and those of text direction, which reorder the text. */
export function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

/** Replaces the same characters, except line feeds. */
export function toPrintableLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n');
}

/** Writes part of a long result, respecting backpressure. */
export function writeResult(text: string): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(text)) {
      resolve();
      return;
    }
    const proceed = () => {
      process.stdout.off('drain', proceed).off('error', proceed);
      resolve();
    };
    process.stdout.on('drain', proceed).on('error', proceed);
  });
}

/** Writes a message to standard error. */
export function printMessage(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Progress of an evaluation. */
export interface Progress {
  readonly evaluated: number;
  readonly satisfied: number;
}

const REFRESH_MS = 100;
const WIDTH = 24;

/** Creates a progress line. @param total - The estimated number of people. @param now - Epoch milliseconds. */
export function createProgressLine(
  total: number,
  now: () => number,
): { readonly update: (progress: Progress) => void; readonly end: () => void } {
  const startedAt = now();
  const { update, end } = createStatusLine(now);
  return { update: (progress) => update(() => formatProgress(progress, total, now() - startedAt)), end };
}

/** Creates a line of the terminal that updates rewrite, at most every 100 ms; does nothing without a terminal. @param now - Epoch milliseconds. */
export function createStatusLine(now: () => number): {
  readonly update: (text: () => string) => void;
  readonly end: () => void;
} {
  if (!process.stderr.isTTY) return { update: () => undefined, end: () => undefined };
  let writtenAt = 0;
  return {
    update: (text) => {
      if (now() - writtenAt < REFRESH_MS) return;
      writtenAt = now();
      process.stderr.write(`\r${text()}\u001b[K`);
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  };
}

/** Formats a progress bar with counts and speed. Never throws. */
export function formatProgress({ evaluated, satisfied }: Progress, total: number, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, evaluated / total);
  const filled = Math.round(share * WIDTH);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
  const rate = elapsedMs === 0 ? 0 : Math.round((evaluated * 1_000) / elapsedMs);
  const parts = [
    `${count(evaluated)} of ${count(Math.max(evaluated, total))} people`,
    `${count(satisfied)} found`,
    `${count(rate)} a second`,
  ];
  return `${bar} ${Math.floor(share * 100)} % · ${parts.join(' · ')}`;
}

/** Formats a number with separators of thousands. */
export function count(number: number): string {
  return number.toLocaleString('en');
}
