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
export function printAnswer(
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
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}
