/**
 * The package entry `proviso/testing`: vectors, a reference interpreter, random scenarios, and conformance checks
 * for implementations of the language.
 */
export { type CredentialDraft, credentialDrafts, toCredentials } from './arbitraries/claim-set.js';
export { instant, instantText, malformedInstant } from './arbitraries/instant.js';
export { jsonNumber, jsonObject, jsonString, jsonValue } from './arbitraries/json.js';
export { arbitraryJsonQuery, mutatedQuery } from './arbitraries/mutated-query.js';
export { check, policy, policyItem, projections, type QueryInput, query } from './arbitraries/query.js';
export { grantedScopes, type Scenario, scenario, scopeDefinitions } from './arbitraries/scenario.js';
export {
  type CanonicalizeVector,
  type ConformanceOptions,
  type ConformanceProgress,
  type ConformanceReport,
  type Counterexample,
  checkConformance,
  type Implementation,
  type VectorFailure,
} from './check-conformance.js';
export { DEVIATIONS, type Deviation } from './deviations.js';
export * from './read-vectors.js';
export { canonicalize, type InterpretOptions, interpret } from './reference-interpreter.js';
export * from './vector.js';
