/**
 * The canonical forms of the language (L1–L5), folds over policies (L19), and the canonical text of a query (L25). A
 * parsed query is plain, frozen JSON that is itself a valid query.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../claims/json-value.js';
import type { Projection } from '../lenses.js';
import type { OperatorName } from '../operators/operators.js';
import { wrongType } from '../value-types.js';

/** A condition on one claim (L2). `value` is absent for `isDefined`, and only there. */
export interface Check {
  readonly claim: string;
  readonly operator: OperatorName;
  readonly value?: JsonValue;
}

/** A combination of items: all, any, or the negation of one (L3). */
export type Policy =
  | { readonly allOf: readonly PolicyItem[] }
  | { readonly anyOf: readonly PolicyItem[] }
  | { readonly not: PolicyItem };

/** An item of a policy (L4). */
export type PolicyItem = { readonly check: Check } | { readonly policy: Policy };

const QUERY_FORMS = ['check', 'policy', 'projections'];

/** A query: one check, one policy, or projections (L1). */
export type Query = PolicyItem | { readonly projections: readonly Projection[] };

/** An item as an author may write it: canonical, or without its wrapper (L4). */
export type PolicyItemInput = PolicyItem | Check | PolicyInput | { readonly policy: PolicyInput };

/** A policy as an author may write it (L3, L4). */
export type PolicyInput =
  | { readonly allOf: readonly PolicyItemInput[] }
  | { readonly anyOf: readonly PolicyItemInput[] }
  | { readonly not: PolicyItemInput | readonly [PolicyItemInput] };

/** Returns the combinator of a policy, and the items that it combines: exactly one for `not`. */
export function combinationOf(
  policy: Policy,
): readonly [kind: 'allOf' | 'anyOf' | 'not', items: readonly PolicyItem[]] {
  if ('not' in policy) return ['not', [policy.not]];
  return 'allOf' in policy ? ['allOf', policy.allOf] : ['anyOf', policy.anyOf];
}

/** The functions of a fold, which build its result from the leaves upwards. */
export interface ItemFold<Result> {
  /**
   * Returns the result of a check.
   *
   * @param negated - Whether the number of negations around the check is odd.
   * @param pointer - JSON Pointer to the item that holds the check, in the canonical query.
   */
  check(check: Check, negated: boolean, pointer: string): Result;
  /** Combines the results of items that must all pass. */
  all(items: readonly Result[]): Result;
  /** Combines the results of items of which one must pass. */
  any(items: readonly Result[]): Result;
}

/**
 * Folds an item in negation normal form: De Morgan's laws move each `not` down to the checks, since policies are
 * two-valued (L19).
 *
 * @param negated - Whether to fold the negation of the item.
 */
export function foldItem<Result>(
  item: PolicyItem,
  fold: ItemFold<Result>,
  negated = false,
  pointer = '',
): Result {
  if ('check' in item) return fold.check(item.check, negated, pointer);
  const [kind, items] = combinationOf(item.policy);
  const place = `${pointer}/policy/${kind}`;
  if (kind === 'not') return foldItem(items[0] as PolicyItem, fold, !negated, place);
  const results = items.map((inner, index) => foldItem(inner, fold, negated, `${place}/${index}`));
  return (kind === 'allOf') === negated ? fold.any(results) : fold.all(results);
}

/** Returns the checks of an item, in document order. */
export function checksOf(item: PolicyItem): readonly Check[] {
  const checks: Check[] = [];
  const add = (check: Check) => void checks.push(check);
  foldItem(item, { check: add, all: () => undefined, any: () => undefined });
  return checks;
}

/** Replaces each check of an item. */
export function mapChecks(item: PolicyItem, replace: (check: Check) => Check): PolicyItem {
  if ('check' in item) return { check: replace(item.check) };
  const { policy } = item;
  const map = (inner: PolicyItem) => mapChecks(inner, replace);
  if ('not' in policy) return { policy: { not: map(policy.not) } };
  return {
    policy: 'allOf' in policy ? { allOf: policy.allOf.map(map) } : { anyOf: policy.anyOf.map(map) },
  };
}

/**
 * Serializes a parsed query as canonical JSON (RFC 8785): no white space, members in code-unit order, −0 as 0. Two
 * queries are equal if and only if their canonical texts are equal.
 *
 * @param query - A query returned by `parse`.
 * @throws {TypeError} For a value that does not have the form of a query. Its contents are not validated.
 * @see L25
 */
export function canonicalText(query: Query): string {
  const [form = ''] = Object.keys((query as Query | undefined | null) ?? {});
  if (!QUERY_FORMS.includes(form)) throw wrongType('`query`', 'a query that `parse` returned', query);
  // A parsed query is plain JSON by construction.
  return write(query as unknown as JsonValue);
}

function write(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${write(value[name] as JsonValue)}`).join(',')}}`;
}
