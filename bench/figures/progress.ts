/** Reports progress on standard error; results go to standard output. */

/** Writes one line of progress. */
export function reportProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
