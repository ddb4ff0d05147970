/** Queries that are right, in every form that an author may write them in (L1–L5, L9, L18). */
import * as fc from 'fast-check';
import type { JsonValue } from '../../engine/claims/json-value.js';
import type { Projection } from '../../engine/lenses/lens.js';
import { OPERATOR_NAMES, type OperatorName } from '../../engine/operators/operators.js';
import type { Check, PolicyInput, PolicyItemInput } from '../../engine/query/query.js';
import { claimPath } from './claim-path.js';
import { instantText } from './instant.js';
import { jsonNumber, jsonString, jsonValue } from './json.js';
import { pattern } from './pattern.js';

/** A query as an author may write it: canonical or with bare items, `not` with or without its brackets. */
export type QueryInput =
  | { readonly check: Check }
  | { readonly policy: PolicyInput }
  | { readonly projections: readonly ProjectionInput[] };

/** A projection as an author may write it: `at` without its `index` sees the first element (L5). */
export type ProjectionInput =
  | Projection
  | { readonly claim: string; readonly lens: 'at'; readonly index?: number };

/** An item counts as deep as this at most: one less than policies may nest, since it stands in one. */
const MOST_NEGATIONS = 12;

/** What each operator takes; `isDefined` takes none. */
function operands(): Readonly<Record<OperatorName, fc.Arbitrary<JsonValue>>> {
  const any = fc.oneof({ weight: 6, arbitrary: shallow() }, { weight: 1, arbitrary: instantText() });
  const list = fc.array(any, { maxLength: 4, size: 'max' });
  const orderable = fc.oneof(jsonNumber(), instantText());
  return {
    '==': any,
    '!=': any,
    '>': orderable,
    '>=': orderable,
    '<': orderable,
    '<=': orderable,
    in: list,
    notIn: list,
    contains: any,
    startsWith: jsonString(),
    matchRegex: pattern(),
    isDefined: fc.constant(true),
  };
}

/** Checks with operands that their operators take. */
export function check(): fc.Arbitrary<Check> {
  const byOperator = operands();
  const checks = OPERATOR_NAMES.map((operator) => checkOf(operator, byOperator[operator]));
  return fc.oneof(...checks);
}

/** Items of a policy, nested two policies deep and now and then deeper; checks and policies wrapped or bare (L4). */
export function policyItem(): fc.Arbitrary<PolicyItemInput> {
  const checks = fc.tuple(fc.boolean(), check()).map(([bare, drawn]) => (bare ? drawn : { check: drawn }));
  const nested = fc.oneof<fc.WeightedArbitrary<PolicyItemInput>[]>(
    { weight: 3, arbitrary: checks },
    { weight: 1, arbitrary: item(policyOf(checks)) },
  );
  return fc.oneof<fc.WeightedArbitrary<PolicyItemInput>[]>(
    { weight: 20, arbitrary: nested },
    { weight: 7, arbitrary: item(policyOf(nested)) },
    { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 2, max: MOST_NEGATIONS }), nested).map(negate) },
  );
}

/** Policies. */
export function policy(): fc.Arbitrary<PolicyInput> {
  return policyOf(policyItem());
}

/** Lists of projections, each claim once (L5). */
export function projections(): fc.Arbitrary<readonly ProjectionInput[]> {
  const claim = claimPath();
  const field = fc.oneof(fc.constantFrom('a', 'b', 'c', 'constructor', '2', '10', '__proto__'), jsonString());
  const fields = fc.uniqueArray(field, { minLength: 1, maxLength: 4 });
  const projection = fc.oneof<fc.Arbitrary<ProjectionInput>[]>(
    fc.record({ claim, lens: fc.constant('pluck') }),
    fc.record({ claim, lens: fc.constant('pick'), fields }, { requiredKeys: ['claim', 'lens'] }),
    fc.record(
      { claim, lens: fc.constant('at'), index: fc.integer({ min: -4, max: 4 }) },
      { requiredKeys: ['claim', 'lens'] },
    ),
  );
  return fc.uniqueArray(projection, { minLength: 1, maxLength: 4, selector: (drawn) => drawn.claim });
}

/** Queries that `parse` accepts, in all three forms. */
export function query(): fc.Arbitrary<QueryInput> {
  return fc.oneof<fc.WeightedArbitrary<QueryInput>[]>(
    { weight: 2, arbitrary: check().map((drawn) => ({ check: drawn })) },
    { weight: 7, arbitrary: policy().map((drawn) => ({ policy: drawn })) },
    { weight: 3, arbitrary: projections().map((drawn) => ({ projections: drawn })) },
  );
}

function checkOf(operator: OperatorName, operand: fc.Arbitrary<JsonValue>): fc.Arbitrary<Check> {
  return fc
    .tuple(claimPath(), operand)
    .map(([claim, value]) => (operator === 'isDefined' ? { claim, operator } : { claim, operator, value }));
}

function policyOf(items: fc.Arbitrary<PolicyItemInput>): fc.Arbitrary<PolicyInput> {
  const list = fc.array(items, { minLength: 1, maxLength: 3, size: 'max' });
  return fc.oneof<fc.Arbitrary<PolicyInput>[]>(
    list.map((allOf) => ({ allOf })),
    list.map((anyOf) => ({ anyOf })),
    fc.tuple(items, fc.boolean()).map(([not, bracketed]) => ({ not: bracketed ? [not] : not })),
  );
}

function item(policies: fc.Arbitrary<PolicyInput>): fc.Arbitrary<PolicyItemInput> {
  return fc.tuple(fc.boolean(), policies).map(([bare, drawn]) => (bare ? drawn : { policy: drawn }));
}

function negate([times, inner]: readonly [number, PolicyItemInput]): PolicyItemInput {
  let negated = inner;
  for (let count = 0; count < times; count += 1) negated = { not: negated };
  return negated;
}

/** Operands nest at most 16 deep, inside a list one less: what is deeper is replaced by how deep it is. */
function shallow(): fc.Arbitrary<JsonValue> {
  return jsonValue().map((value) => {
    const depth = depthOf(value);
    return depth > 15 ? depth : value;
  });
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
