/** Public API of the engine: the query language and its evaluator, without a regular-expression engine. */

export { ProvisoError } from '../util/proviso-error.js';
export {
  type AbortSignalLike,
  type BulkResult,
  type EvaluateManyInSlicesOptions,
  type EvaluateManyOptions,
  evaluateMany,
  evaluateManyInSlices,
  type ProgressListener,
} from './bulk/bulk-evaluation.js';
export { ClaimColumns } from './bulk/claim-columns.js';
export { ClaimColumnsBuilder, type ClaimColumnsOptions } from './bulk/claim-columns-builder.js';
export type { Column, DictionaryColumn, NumberColumn, PlainColumn } from './bulk/column.js';
export type { ColumnInput, DictionaryColumnInput } from './bulk/column-builder.js';
export { RowSet } from './bulk/row-set.js';
export { CatalogueError, type CatalogueProblem } from './catalogue/catalogue-problems.js';
export { DEFAULT_CATALOGUE, parseCatalogue } from './catalogue/parse-catalogue.js';
export { ClaimError } from './checked-claims.js';
export { type ClaimReference, isClaimPath, type ParentClaim, toClaimReference } from './claims/claim-path.js';
export { ClaimSet, type DefinedClaim, findClaim } from './claims/claim-set.js';
export {
  type Credential,
  CredentialError,
  type CredentialProblem,
  isActiveAt,
  parseCredentials,
} from './claims/credential.js';
export { formatInstant, parseInstant } from './claims/instant.js';
export {
  type JsonArray,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
  jsonEquals,
} from './claims/json-value.js';
export {
  type CompiledQuery,
  type CompileOptions,
  type CoveredQuery,
  compile,
  compilePredicate,
  compileProjection,
  type EvaluateOptions,
  type EvaluateToJsonOptions,
  type ResultOf,
  type UngatedOptions,
  type UngatedQuery,
} from './compile/compile.js';
export {
  createEngine,
  type Engine,
  type EngineOptions,
  evaluate,
  safeCompile,
  type UngatedEngine,
} from './engine.js';
export {
  CLAIM_PROBLEM_CODES,
  type ClaimProblemCode,
  FORM_PROBLEM_CODES,
  type FormProblemCode,
  LIMIT_PROBLEM_CODES,
  type LimitProblemCode,
  MAX_REPORTED_PROBLEMS,
  type MissingScope,
  QueryError,
  type QueryErrorCode,
  type QueryProblem,
} from './errors.js';
export { LENS_NAMES, type LensName, type Projection } from './lenses.js';
export { OPERATOR_NAMES, type OperatorName } from './operators/operators.js';
export { type Problem, ProblemsError } from './problems.js';
export { parse } from './query/parse.js';
export type { ParseOptions, ReadableClaim } from './query/parse-context.js';
export { DEFAULT_QUERY_LIMITS, type QueryLimits } from './query/parse-context.js';
export type { Check, Policy, PolicyInput, PolicyItem, PolicyItemInput, Query } from './query/query.js';
export { canonicalText } from './query/query.js';
export { type SafeResult, safeParse } from './query/safe-parse.js';
export type { CompiledPattern, PatternMeasure, PatternOutcome, RegexEngine } from './regex-engine.js';
export type {
  CheckOutcome,
  CheckResult,
  ClaimUsed,
  Evidence,
  FailingCheck,
  PredicateResult,
  ProjectedClaim,
  ProjectionResult,
  ProjectionResultOf,
  QueryResult,
} from './result.js';
export {
  type Catalogue,
  type CatalogueClaim,
  type CataloguePreset,
  type CatalogueScope,
  CLAIM_TYPES,
  type ClaimTexts,
  type ClaimType,
  createScopeCatalogue,
  type Derivation,
  type DerivationCheck,
  EVIDENCE_LEVELS,
  type EvidenceLevel,
  type InferenceBound,
  type ScopeCatalogue,
  type ScopeDefinition,
  type ScopeTexts,
  SENSITIVITIES,
  type Sensitivity,
  toScopeDefinitions,
} from './scopes/catalogue.js';
export {
  DEFAULT_CLAIMS,
  DEFAULT_PRESETS,
  DEFAULT_SCOPES,
  type DefaultClaim,
} from './scopes/default-catalogue.js';
export { defaultScopeCatalogue } from './scopes/default-scopes.js';
