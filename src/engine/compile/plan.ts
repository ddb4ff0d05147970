/** Plans of queries with prepared operands, the common source of `test` and `evaluate`. */
import { type ClaimReference, NO_SLOT, toClaimReference } from '../claims/claim-path.js';
import { assertClaimSet, type ClaimSet } from '../claims/claim-set.js';
import type { JsonValue } from '../claims/json-value.js';
import { type Extraction, type Projection, toExtraction } from '../lenses.js';
import { OPERATORS, type Operand, type OperatorName, type ValueTest } from '../operators/operators.js';
import type { ParseContext } from '../query/parse-context.js';
import type { Check, PolicyItem } from '../query/query.js';
import type { CompiledPattern } from '../regex-engine.js';

/** Tests a person's claims; allocates nothing after the first calls. Throws a `TypeError` for anything but a claim set. */
export type Predicate = (claims: ClaimSet) => boolean;

/** The final continuations of a predicate, which assert the claim set. A predicate that calls neither, such as that of a single check, asserts it itself. */
export const PASS: Predicate = (claims) => {
  assertClaimSet(claims);
  return true;
};
export const FAIL: Predicate = (claims) => {
  assertClaimSet(claims);
  return false;
};

/** A check with its prepared operand. */
export interface PlannedCheck {
  readonly kind: 'check';
  /** Index of the check in the query, in document order. */
  readonly position: number;
  readonly claim: ClaimReference;
  readonly operator: OperatorName;
  /** The operand as shown in evidence; `true` for `isDefined`. */
  readonly expectedValue: JsonValue;
  readonly operand: Operand;
  /** Approximate time of the check, in comparisons of two numbers. */
  readonly cost: number;
  /** The compiled pattern of `matchRegex`, which determines the cost of a match (S156). */
  readonly pattern: CompiledPattern | undefined;
}

/** The patterns of a query, which parsing compiled. Absent for a query without patterns. */
export type Patterns = ParseContext['patterns'] | undefined;

/** An item with its cost. */
export type PlannedItem =
  | PlannedCheck
  | { readonly kind: 'allOf' | 'anyOf'; readonly items: readonly PlannedItem[]; readonly cost: number }
  | { readonly kind: 'not'; readonly item: PlannedItem; readonly cost: number };

export interface PlannedProjection {
  readonly claim: ClaimReference;
  readonly extract: Extraction;
}

/** Additional cost of a claim that may be a member of another claim and has to be searched for. */
export const COST_OF_SEARCH = 5;

/** Plans an item and appends its checks to `checks` in document order (L21). */
export function planItem(item: PolicyItem, patterns: Patterns, checks: PlannedCheck[]): PlannedItem {
  if ('check' in item) return planCheck(item.check, patterns, checks);
  const { policy } = item;
  if ('not' in policy) {
    const inner = planItem(policy.not, patterns, checks);
    return { kind: 'not', item: inner, cost: inner.cost };
  }
  const [kind, inner] =
    'allOf' in policy ? (['allOf', policy.allOf] as const) : (['anyOf', policy.anyOf] as const);
  const items = inner.map((each) => planItem(each, patterns, checks));
  return { kind, items, cost: items.reduce((sum, { cost }) => sum + cost, 0) };
}

/** Plans projections, in the order of `data`. */
export function planProjections(projections: readonly Projection[]): readonly PlannedProjection[] {
  return projections.map((projection) => ({
    claim: toClaimReference(projection.claim),
    extract: toExtraction(projection),
  }));
}

function planCheck(source: Check, patterns: Patterns, checks: PlannedCheck[]): PlannedCheck {
  const { claim, operator, value } = source;
  const pattern = patternOf(source, patterns);
  const reference = toClaimReference(claim);
  const definition = OPERATORS[operator];
  // Parsing checked the operand's type, which the type of the table cannot express.
  const operand = (pattern ?? value) as never;
  const check: PlannedCheck = {
    kind: 'check',
    position: checks.length,
    claim: reference,
    operator,
    // Only `isDefined` has no operand.
    expectedValue: value === undefined ? true : value,
    operand,
    cost: definition.cost(operand) + (isDirect(reference) ? 0 : COST_OF_SEARCH),
    pattern,
  };
  checks.push(check);
  return check;
}

/** Returns the pattern of `matchRegex`, which parsing compiled; `undefined` for other operators. */
export function patternOf(
  { operator, value }: Pick<Check, 'operator' | 'value'>,
  patterns: Patterns,
): CompiledPattern | undefined {
  const outcome = operator === 'matchRegex' ? patterns?.get(value as string) : undefined;
  return outcome?.accepted ? outcome.pattern : undefined;
}

/** Creates the test of a check, for the value of a defined claim. */
export function toValueTest({ operator, operand }: PlannedCheck): ValueTest {
  return OPERATORS[operator].test(operand as never);
}

/** Returns whether a claim can only be in its slot: its path cannot name a member of another claim (L13). */
export function isDirect({ slot, parents }: ClaimReference): boolean {
  return slot !== NO_SLOT && parents.length === 0;
}
