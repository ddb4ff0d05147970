/** Results of queries, in the form of the wire format (L19–L24). */
import type { JsonValue } from './claims/json-value.js';
import type { OperatorName } from './operators/operators.js';

/** A claim that a check read, and the credential that attests it. */
export interface ClaimUsed {
  readonly path: string;
  readonly value: JsonValue;
  readonly credentialId: string;
  readonly source: string;
}

/** The result of one check (L21). `actualValue` is absent where the claim is undefined (L14). */
export interface CheckResult {
  readonly claim: string;
  readonly operator: OperatorName;
  /** The operand; `true` for `isDefined`, which takes none. */
  readonly expectedValue: JsonValue;
  readonly actualValue?: JsonValue;
  readonly passed: boolean;
}

/** The evidence of a predicate's result. */
export interface Evidence {
  /** One entry per distinct defined claim, in order of first use. */
  readonly claimsUsed: readonly ClaimUsed[];
  /** One entry per check, in document order; no check is skipped. */
  readonly checkResults: readonly CheckResult[];
}

/** A check that made a policy fail. */
export interface FailingCheck extends CheckResult {
  /** JSON Pointer to the check's item in the query in canonical form, as in `explain`; `''` for a query of one check. */
  readonly pointer: string;
  /** Whether the check must fail, as the number of `not` around it is odd: then it made the policy fail by passing. */
  readonly negated: boolean;
  /**
   * The alternatives that the check belongs to, as JSON Pointers, outermost first; empty for a check that must be met in
   * any case. Alternatives are the items of an `anyOf`, or of an `allOf` inside of `not`: one of them would suffice.
   */
  readonly alternatives: readonly string[];
}

/** The outcome of a check or a policy, with the reasons of a failure. */
export interface CheckOutcome {
  readonly passed: boolean;
  /** The checks that made the policy fail, in document order; empty where it passes. */
  readonly failing: readonly FailingCheck[];
}

/** The result of a check or a policy. Instants are RFC 3339 UTC with milliseconds. */
export interface PredicateResult {
  readonly type: 'predicate';
  readonly passed: boolean;
  readonly evaluatedAt: string;
  readonly evidence: Evidence;
  /** Earliest expiry of the credentials used; `evaluatedAt` plus the result lifetime where none expires (L22). */
  readonly expiresAt: string;
}

/** A claim that a projection disclosed, with the extracted value only (L23). */
export interface ProjectedClaim {
  readonly path: string;
  readonly value: JsonValue;
}

/** The result of projections. `data` has every requested claim; `null` where it is undefined or does not fit the lens. */
export interface ProjectionResult {
  readonly type: 'projection';
  readonly data: { readonly [path: string]: JsonValue };
  readonly evaluatedAt: string;
  readonly claimsUsed: readonly ProjectedClaim[];
  readonly expiresAt: string;
}

/** The result of projections of claims that the compiler knows: another claim of `data` is a type error. */
export interface ProjectionResultOf<Path extends string> extends ProjectionResult {
  readonly data: { readonly [Each in Path]: JsonValue };
}

export type QueryResult = PredicateResult | ProjectionResult;
