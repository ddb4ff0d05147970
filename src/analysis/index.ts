/** What a query means without anybody's claims. Pure: needs no clock, no store, and no regular-expression engine but the one handed to it. */
export type { AnalysisOptions } from './options.js';
export { equivalent, implies, satisfiable, tautology } from './questions.js';
export type { Verdict, Witness } from './verdict.js';
