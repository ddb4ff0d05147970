/** A query with its operand work done: what the closures of `test` and of `evaluate` are both made from. */
import { type ClaimReference, NO_SLOT, toClaimReference } from '../claims/claim-path.js';
import type { ClaimSet } from '../claims/claim-set.js';
import type { JsonValue } from '../claims/json-value.js';
import { type Extraction, type Projection, toExtraction } from '../lenses.js';
import { OPERATORS, type Operand, type OperatorName, type ValueTest } from '../operators/operators.js';
import type { ParseContext } from '../query/parse-context.js';
import type { Check, PolicyItem } from '../query/query.js';
import type { CompiledPattern } from '../regex-engine.js';

/** Whether something passes on a person's claims. Never throws, allocates nothing. */
export type Predicate = (claims: ClaimSet) => boolean;

export const PASS: Predicate = () => true;
export const FAIL: Predicate = () => false;

/** A check whose operand is worked in. */
export interface PlannedCheck {
  readonly kind: 'check';
  /** Which of the query's checks it is, in document order. */
  readonly position: number;
  readonly claim: ClaimReference;
  readonly operator: OperatorName;
  /** What evidence shows: the operand, or `true` for `isDefined`. */
  readonly expectedValue: JsonValue;
  readonly operand: Operand;
  /** About how long it takes, in comparisons of two numbers. */
  readonly cost: number;
  /** Set for `matchRegex`: what a match costs (S156). */
  readonly pattern: CompiledPattern | undefined;
  /** Where the check stands in the query as handed in. */
  readonly pointer: string;
}

/** Each with what it costs, as a check has. */
export type PlannedItem =
  | PlannedCheck
  | { readonly kind: 'allOf' | 'anyOf'; readonly items: readonly PlannedItem[]; readonly cost: number }
  | { readonly kind: 'not'; readonly item: PlannedItem; readonly cost: number };

export interface PlannedProjection {
  readonly claim: ClaimReference;
  readonly extract: Extraction;
}

/** A claim that may be a member of another is looked for. */
const COST_OF_SEARCH = 5;

/** Plans an item; `checks` is filled with its checks in document order (L21). */
export function planItem(item: PolicyItem, context: ParseContext, checks: PlannedCheck[]): PlannedItem {
  if ('check' in item) return planCheck(item.check, context, checks);
  const { policy } = item;
  if ('not' in policy) {
    const inner = planItem(policy.not, context, checks);
    return { kind: 'not', item: inner, cost: inner.cost };
  }
  const [kind, inner] =
    'allOf' in policy ? (['allOf', policy.allOf] as const) : (['anyOf', policy.anyOf] as const);
  const items = inner.map((each) => planItem(each, context, checks));
  return { kind, items, cost: items.reduce((sum, { cost }) => sum + cost, 0) };
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
  context: ParseContext,
  checks: PlannedCheck[],
): PlannedCheck {
  const outcome = operator === 'matchRegex' ? context.patterns.get(value as string) : undefined;
  const pattern = outcome?.accepted ? outcome.pattern : undefined;
  const reference = toClaimReference(claim);
  const definition = OPERATORS[operator];
  // Parsing has checked the operand against the operator's rule, which the type of the table cannot say.
  const operand = (pattern ?? value) as never;
  const check: PlannedCheck = {
    kind: 'check',
    position: checks.length,
    claim: reference,
    operator,
    // Only `isDefined` has no value: what it expects is that the claim is there.
    expectedValue: value === undefined ? true : value,
    operand,
    cost: definition.cost(operand) + (isDirect(reference) ? 0 : COST_OF_SEARCH),
    pattern,
    pointer: context.checkPointers[checks.length] as string,
  };
  checks.push(check);
  return check;
}

/** Creates the test of a check: of the value of its claim, where that is defined. */
export function toValueTest({ operator, operand }: PlannedCheck): ValueTest {
  return OPERATORS[operator].test(operand as never);
}

/** Whether a claim stands in its slot or nowhere: what its path names cannot be a member of another claim (L13). */
export function isDirect({ slot, parents: carriers }: ClaimReference): boolean {
  return slot !== NO_SLOT && carriers.length === 0;
}
