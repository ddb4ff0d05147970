/** The language's forms, canonical (L1–L5): a parsed query is plain, frozen JSON that is itself a query. */
import type { JsonValue } from '../claims/json-value.js';
import type { Projection } from '../lenses/lens.js';
import type { OperatorName } from '../operators/operators.js';

/** A condition on one claim (L2). `value` is absent for `isDefined`, and only there. */
export interface Check {
  readonly claim: string;
  readonly operator: OperatorName;
  readonly value?: JsonValue;
}

/** Items joined (L3): all of them, any of them, or not the one. */
export type Policy =
  | { readonly allOf: readonly PolicyItem[] }
  | { readonly anyOf: readonly PolicyItem[] }
  | { readonly not: PolicyItem };

/** What a policy holds (L4). */
export type PolicyItem = { readonly check: Check } | { readonly policy: Policy };

/** A query: one check, one policy, or projections (L1). */
export type Query = PolicyItem | { readonly projections: readonly Projection[] };

/** What `parse` and `compile` accept beside the canonical form: items without their wrapping (L4). */
export type PolicyItemInput = PolicyItem | Check | PolicyInput | { readonly policy: PolicyInput };

/** A policy as an author may write it (L3, L4). */
export type PolicyInput =
  | { readonly allOf: readonly PolicyItemInput[] }
  | { readonly anyOf: readonly PolicyItemInput[] }
  | { readonly not: PolicyItemInput | readonly [PolicyItemInput] };
