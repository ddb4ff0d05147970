/** What a query answers: the result forms of the wire, word for word (L19–L24). */
import type { JsonValue } from './claims/json-value.js';
import type { OperatorName } from './operators/operators.js';

/** A claim that a check read, and the credential that spoke for it. */
export interface ClaimUsed {
  readonly path: string;
  readonly value: JsonValue;
  readonly credentialId: string;
  readonly source: string;
}

/** What one check found (L21). `actualValue` is absent where the claim is undefined (L14). */
export interface CheckResult {
  readonly claim: string;
  readonly operator: OperatorName;
  /** The operand; `true` for `isDefined`, which takes none. */
  readonly expectedValue: JsonValue;
  readonly actualValue?: JsonValue;
  readonly passed: boolean;
}

/** Why a predicate passed or did not. */
export interface Evidence {
  /** One entry a distinct defined claim, in order of first use. */
  readonly claimsUsed: readonly ClaimUsed[];
  /** One entry a check, in document order, whatever short-circuiting would skip. */
  readonly checkResults: readonly CheckResult[];
}

/** Answer to a check or a policy. Instants are RFC 3339 UTC with milliseconds. */
export interface PredicateResult {
  readonly type: 'predicate';
  readonly passed: boolean;
  readonly evaluatedAt: string;
  readonly evidence: Evidence;
  /** Earliest expiry among the credentials used; `evaluatedAt` plus the result lifetime where none expires (L22). */
  readonly expiresAt: string;
}

/** A claim that a projection disclosed, with the extracted value only (L23). */
export interface ProjectedClaim {
  readonly path: string;
  readonly value: JsonValue;
}

/** Answer to projections. `data` has every requested claim; `null` where it is undefined or the lens does not fit. */
export interface ProjectionResult {
  readonly type: 'projection';
  readonly data: { readonly [path: string]: JsonValue };
  readonly evaluatedAt: string;
  readonly claimsUsed: readonly ProjectedClaim[];
  readonly expiresAt: string;
}

export type QueryResult = PredicateResult | ProjectionResult;
