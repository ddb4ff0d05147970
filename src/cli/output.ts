/** What the command says: results on standard output, everything else on standard error, and how it ends. */
/** What the command says: results on standard output, everything else on standard error, and how it ends. */

/** How a command ends. 1 and 2 are for the caller to mend; a script can tell them apart. */
export const EXIT = {
  ok: 0,
  /** `eval`: the query was answered, and the answer is no. Elsewhere: what was asked for could not be done. */
  failed: 1,
  /** The command, the query or the credentials are not right. */
  usage: 2,
} as const;

/** Ends the command with a sentence on standard error and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Writes a result, alone on standard output so that it can be piped. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a result for a program where `--json` asks for that, and for a person otherwise. */
export function printOutput(
  { json = false }: { readonly json?: boolean },
  answer: unknown,
  text: string,
): void {
  printResult(json ? JSON.stringify(answer, undefined, 2) : text);
}

/** Writes a part of a long result, and waits for whoever reads it. */
export function writeResult(text: string): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve).once('error', () => resolve());
  });
}

/** Writes something for the person at the terminal. */
export function printMessage(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** How far something is, on one line of a terminal that is written again and again; nothing where there is no terminal. */

/** How many were asked and found. */
export interface Progress {
  readonly evaluated: number;
  readonly satisfied: number;
}

const REFRESH_MS = 100;
const WIDTH = 24;

/** @param total - How many there are to be asked. @param now - Epoch milliseconds. */
export function createProgressLine(
  total: number,
  now: () => number,
): { readonly update: (progress: Progress) => void; readonly end: () => void } {
  const startedAt = now();
  const { update, end } = createStatusLine(now);
  return { update: (progress) => update(() => formatProgress(progress, total, now() - startedAt)), end };
}

/** The line itself, whatever it says. @param now - Epoch milliseconds. */
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

/** The line: a bar, how many of how many, how many were found, and how fast it goes. Never throws. */
export function formatProgress({ evaluated, satisfied }: Progress, total: number, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, evaluated / total);
  const filled = Math.round(share * WIDTH);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
  const rate = elapsedMs === 0 ? 0 : Math.round((evaluated * 1_000) / elapsedMs);
  const parts = [
    `${count(evaluated)} of ${count(total)} people`,
    `${count(satisfied)} found`,
    `${count(rate)} a second`,
  ];
  return `${bar} ${Math.floor(share * 100)} % · ${parts.join(' · ')}`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
