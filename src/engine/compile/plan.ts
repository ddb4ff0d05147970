/** A query with its operand work done: what the closures of `test` and of `evaluate` are both made from. */
import { type ClaimReference, toClaimReference } from '../claims/claim-path.js';
import type { JsonValue } from '../claims/json-value.js';
import { toExtraction } from '../lenses/catalogue.js';
import type { Extraction, Projection } from '../lenses/lens.js';
import { OPERATORS } from '../operators/catalogue.js';
import type { OperatorName, ValueTest } from '../operators/operator.js';
import type { Check, PolicyItem } from '../query/query.js';
import type { Reading } from '../query/reading.js';
import type { CompiledPattern } from '../regex-engine.js';

/** A check whose operand is worked in. */
export interface PlannedCheck {
  readonly kind: 'check';
  readonly claim: ClaimReference;
  readonly operator: OperatorName;
  /** What evidence shows: the operand, or `true` for `isDefined`. */
  readonly expectedValue: JsonValue;
  /** Called on defined claims only (L14). */
  readonly test: ValueTest;
  /** Set for `matchRegex`: what a match costs (S156). */
  readonly pattern: CompiledPattern | undefined;
  /** Where the check stands in the query as handed in. */
  readonly pointer: string;
}

export type PlannedItem =
  | PlannedCheck
  | { readonly kind: 'allOf' | 'anyOf'; readonly items: readonly PlannedItem[] }
  | { readonly kind: 'not'; readonly item: PlannedItem };

export interface PlannedProjection {
  readonly claim: ClaimReference;
  readonly extract: Extraction;
}

/** Plans an item; `checks` is filled with its checks in document order (L21). */
export function planItem(item: PolicyItem, reading: Reading, checks: PlannedCheck[]): PlannedItem {
  if ('check' in item) return planCheck(item.check, reading, checks);
  const { policy } = item;
  if ('not' in policy) return { kind: 'not', item: planItem(policy.not, reading, checks) };
  const [kind, items] =
    'allOf' in policy ? (['allOf', policy.allOf] as const) : (['anyOf', policy.anyOf] as const);
  return { kind, items: items.map((inner) => planItem(inner, reading, checks)) };
}

/** Plans projections, in the order in which `data` lists them. */
export function planProjections(projections: readonly Projection[]): readonly PlannedProjection[] {
  return projections.map((projection) => ({
    claim: toClaimReference(projection.claim),
    extract: toExtraction(projection),
  }));
}

function planCheck(
  { claim, operator, value }: Check,
  reading: Reading,
  checks: PlannedCheck[],
): PlannedCheck {
  const pattern = operator === 'matchRegex' ? reading.patterns.get(value as string) : undefined;
  // Parsing has checked the operand against the operator's rule, which the type of the table cannot say.
  const operand = (pattern ?? value) as never;
  const check: PlannedCheck = {
    kind: 'check',
    claim: toClaimReference(claim),
    operator,
    // Only `isDefined` has no value: what it expects is that the claim is there.
    expectedValue: value === undefined ? true : value,
    test: OPERATORS[operator].compile(operand),
    pattern,
    pointer: reading.checkPointers[checks.length] as string,
  };
  checks.push(check);
  return check;
}
