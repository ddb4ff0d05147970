/** The contents of a policy test file, and the error for an invalid one. */
import type { Credential, JsonObject } from '../engine/index.js';
import { joinProblems, type Problem, ProblemsError } from '../engine/problems.js';

/** The claims of a case: plain, or attested by credentials. */
export type CaseClaims =
  | { readonly kind: 'plain'; readonly claims: Credential['claims'] }
  | { readonly kind: 'credentials'; readonly credentials: readonly Credential[] };

/** One person, and the expected verdict. */
export interface PolicyTestCase {
  /** Unique in its file. */
  readonly title: string;
  readonly claims: CaseClaims;
  /** Instant of evaluation, epoch milliseconds: that of the case, otherwise that of the file. Absent if neither has one; then 0 is used. */
  readonly now?: number;
  readonly passes: boolean;
  /** The claims whose checks make the policy fail, in any order; absent where the case does not state them. */
  readonly failing?: readonly string[];
}

/** A parsed policy test file. */
export interface PolicyTest {
  /** The query itself, or the path of its file. */
  readonly query: string | JsonObject;
  /** The path of a catalogue file, or `'none'`; absent for the default catalogue. */
  readonly catalogue?: string;
  /** At least one. */
  readonly cases: readonly PolicyTestCase[];
}

/** One problem of a policy test file: the fault, and what is required. */
export type PolicyTestProblem = Problem<
  | 'not_an_object'
  | 'not_an_array'
  | 'not_a_string'
  | 'not_a_boolean'
  | 'member_missing'
  | 'member_unknown'
  | 'member_unexpected'
  | 'list_empty'
  | 'instant_malformed'
  | 'title_repeated'
  | 'claim_invalid'
  | 'claim_unknown'
  | 'credentials_invalid'
  | 'query_invalid'
>;

/** Thrown when a policy test is invalid; `problems` lists every fault with its JSON Pointer into the test file. */
export class PolicyTestError extends ProblemsError<PolicyTestProblem, 'invalid_policy_test'> {
  override readonly name = 'PolicyTestError';

  constructor(problems: readonly PolicyTestProblem[]) {
    super('invalid_policy_test', joinProblems(problems), problems);
  }
}
