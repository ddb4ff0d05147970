/** Finds what a proof may not rely on: commands that leave a gap, and axioms. */

/** Commands that leave a statement without a proof, or switch off a check of Coq. */
const FORBIDDEN =
  /\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset\s+(?:Guard|Positivity|Universe)\s+Checking)\b/;

/** The report of `Print Assumptions` for a theorem without axioms. */
const NO_AXIOMS = 'Closed under the global context';

/** Returns the first command in a Coq source that leaves a gap; `undefined` if there is none. */
export function findGap(source: string): string | undefined {
  return FORBIDDEN.exec(source)?.[0];
}

/**
 * Splits the output of `Print Assumptions` commands into reports.
 *
 * @returns For each command, its report; `undefined` where it states that the theorem depends on no axiom.
 */
export function readAssumptions(output: string): readonly (string | undefined)[] {
  return output.split(/^(?=Closed under the global context|Axioms:)/m).map((report) => {
    const text = report.trim();
    return text === NO_AXIOMS ? undefined : text;
  });
}
