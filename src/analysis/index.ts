/**
 * The package entry `proviso/analysis`: static analysis of queries, with re2js for their patterns.
 *
 * Pure: needs no clock and no store. Loads no HTTP, SQL or cryptography.
 */

export type {
  Interval,
  PossibleArrays,
  PossibleStrings,
  PossibleValues,
  PossibleValuesOfType,
} from './domains/possible-values.js';
export {
  type ClaimChange,
  type ExplainOptions,
  type Explanation,
  explain,
  type UngatedExplainOptions,
} from './explain.js';
export { formatQuery } from './format-query.js';
export type { InactiveClaim } from './inactive-claims.js';
export { type Answer, type ClaimKnowledge, inferKnowledge, type KnowledgeOptions } from './knowledge.js';
export { toKnownQuery } from './known-query.js';
export {
  FINDING_CODES,
  type Finding,
  type FindingCode,
  type LintCatalogue,
  type LintReport,
  lint,
} from './lint.js';
export type { AnalysisOptions, ClaimCatalogue, Verdict, Witness } from './options.js';
export { equivalent, implies, satisfiable, tautology } from './questions.js';
export { type RequiredScopes, requiredScopes } from './required-scopes.js';
export { type KnownClaims, type Residual, type ResidualOptions, residual } from './residual.js';
export { simplify } from './simplify.js';
