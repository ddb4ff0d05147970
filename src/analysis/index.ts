/** What a query means without anybody's claims. Pure: needs no clock, no store, and no regular-expression engine but the one handed to it. */
export { FINDING_CODES, type Finding, type FindingCode } from './lint/finding.js';
export { type LintReport, lint } from './lint/lint.js';
export type { AnalysisOptions } from './options.js';
export { equivalent, implies, satisfiable, tautology } from './questions.js';
export { simplify } from './simplify.js';
export type { Verdict, Witness } from './verdict.js';
