/**
 * The package entry `proviso/policy-tests`: policies with expected verdicts, as `proviso test` runs them.
 *
 * Pure: reads no file and no clock. Loads no HTTP, SQL or cryptography.
 */
export type { CheckCoverage } from './coverage.js';
export {
  type GeneratedCase,
  type GeneratedCases,
  generateCases,
  type MissingCase,
} from './generate-cases.js';
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
