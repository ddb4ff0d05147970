/**
 * The package entry `proviso/policy-tests`: policies with expected verdicts, as `proviso test` runs them.
 *
 * Pure: reads no file and no clock. Loads no HTTP, SQL or cryptography.
 */
export {
  type CheckCoverage,
  type CoverageSummary,
  mergeCoverage,
  type QueryCoverage,
  summarizeCoverage,
} from './coverage.js';
export {
  describeCheck,
  type GeneratedCase,
  type GeneratedCases,
  generateCases,
  type MissingCase,
} from './generate-cases.js';
export { policyTestJsonSchema } from './json-schema.js';
export { parsePolicyTest } from './parse-policy-test.js';
export {
  type CaseClaims,
  type PolicyTest,
  type PolicyTestCase,
  PolicyTestError,
  type PolicyTestProblem,
} from './policy-test.js';
export {
  type CaseResult,
  type PolicyTestOptions,
  type PolicyTestResult,
  runPolicyTest,
  type TestCatalogue,
} from './run-policy-test.js';
