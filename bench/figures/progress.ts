/** Says on the error stream where a run stands; figures go to the output stream alone. */

/** Writes one line of progress. */
export function tellProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
