/** The checks that the type of a claim allows (L14–L18). */
import { withOperandChecks } from '../engine/claims/claim-type.js';
import {
  type JsonPrimitive,
  type JsonValue,
  type OperatorName,
  type PolicyItem,
  parse,
} from '../engine/index.js';
import type { ReadableClaim } from '../engine/query/parse-context.js';
import { omitUndefined } from '../util/omit-undefined.js';
import type { ElementOf, IsUntyped, TypedClaim, ValueOf } from './claim-types.js';
import { type ClaimProjection, projection } from './projection.js';

/** The checks and projections of every claim. */
interface AnyChecks<Claim extends TypedClaim> {
  /** Passes when the claim is defined. */
  isDefined(): Condition<Claim['scope']>;
  /** Projects the whole value. */
  pluck(): ClaimProjection<Claim['path'], Claim['scope']>;
}

interface EqualityChecks<Claim extends TypedClaim> {
  equals(value: ValueOf<Claim>): Condition<Claim['scope']>;
  /** Passes when the claim is defined and has another value. */
  differsFrom(value: ValueOf<Claim>): Condition<Claim['scope']>;
}

interface ListChecks<Claim extends TypedClaim> {
  in(values: readonly [ValueOf<Claim>, ...ValueOf<Claim>[]]): Condition<Claim['scope']>;
  /** Passes when the claim is defined and has none of these values. */
  notIn(values: readonly ValueOf<Claim>[]): Condition<Claim['scope']>;
}

interface OrderChecks<Claim extends TypedClaim> {
  gt(value: ValueOf<Claim>): Condition<Claim['scope']>;
  gte(value: ValueOf<Claim>): Condition<Claim['scope']>;
  lt(value: ValueOf<Claim>): Condition<Claim['scope']>;
  lte(value: ValueOf<Claim>): Condition<Claim['scope']>;
}

interface TextChecks<Claim extends TypedClaim> {
  startsWith(prefix: string): Condition<Claim['scope']>;
  /** Searches for an RE2 pattern anywhere in the string. */
  matches(pattern: string): Condition<Claim['scope']>;
}

interface ArrayChecks<Claim extends TypedClaim> {
  /** Passes when an element equals the value. */
  contains(element: ElementOf<Claim>): Condition<Claim['scope']>;
  /** Projects the element at an index; a negative index counts from the end. */
  at(index?: number): ClaimProjection<Claim['path'], Claim['scope']>;
}

interface ObjectChecks<Claim extends TypedClaim> {
  /** Projects some members. */
  pick(fields: readonly [string, ...string[]]): ClaimProjection<Claim['path'], Claim['scope']>;
}

/** The checks and projections of a claim, by its type. A check throws a `QueryError` if its operand is invalid. */
export type ClaimChecks<Claim extends TypedClaim> = AnyChecks<Claim> &
  (IsUntyped<Claim> extends true
    ? EqualityChecks<Claim> &
        ListChecks<Claim> &
        OrderChecks<Claim> &
        TextChecks<Claim> &
        ArrayChecks<Claim> &
        ObjectChecks<Claim>
    : Claim extends { readonly type: 'number' | 'integer' }
      ? EqualityChecks<Claim> & ListChecks<Claim> & OrderChecks<Claim>
      : Claim extends { readonly type: 'date' | 'datetime' }
        ? OrderChecks<Claim>
        : Claim extends { readonly type: 'string' }
          ? EqualityChecks<Claim> & ListChecks<Claim> & TextChecks<Claim>
          : Claim extends { readonly type: 'enum' }
            ? EqualityChecks<Claim> & ListChecks<Claim>
            : Claim extends { readonly type: 'boolean' }
              ? EqualityChecks<Claim>
              : Claim extends { readonly type: 'array' }
                ? ArrayChecks<Claim>
                : EqualityChecks<Claim> & ObjectChecks<Claim>);

/** All checks; the type of a claim determines which of them are visible. */
type AllChecks = AnyChecks<TypedClaim> & {
  readonly [name: string]: (...operands: never[]) => unknown;
};

/** Creates the checks of a claim. */
export function claimChecks({ path, type, values, scope }: TypedClaim): AllChecks {
  // Operands are also checked at run time, since the compiler does not know the type of a claim from a JSON file.
  const claims = withOperandChecks([{ path, type, ...omitUndefined({ values }) }]);
  const check = (operator: OperatorName, value: JsonValue) =>
    condition({ check: { claim: path, operator, value } }, [scope], claims);
  return Object.freeze({
    isDefined: () => condition({ check: { claim: path, operator: 'isDefined' } }, [scope]),
    equals: (value: JsonValue) => check('==', value),
    differsFrom: (value: JsonValue) => check('!=', value),
    in: (values: readonly JsonPrimitive[]) => check('in', values),
    notIn: (values: readonly JsonPrimitive[]) => check('notIn', values),
    gt: (value: number | string) => check('>', value),
    gte: (value: number | string) => check('>=', value),
    lt: (value: number | string) => check('<', value),
    lte: (value: number | string) => check('<=', value),
    startsWith: (prefix: string) => check('startsWith', prefix),
    matches: (pattern: string) => check('matchRegex', pattern),
    contains: (element: JsonValue) => check('contains', element),
    pluck: () => projection({ claim: path, lens: 'pluck' }, scope),
    pick: (fields: readonly string[]) => projection({ claim: path, lens: 'pick', fields }, scope),
    at: (index = 0) => projection({ claim: path, lens: 'at', index }, scope),
  });
}

/**
 * A check or a policy, with the scopes that it requires. Immutable.
 *
 * `JSON.stringify` gives the query itself, so that a condition can be sent as it is.
 */
export interface Condition<Scope extends string = string> {
  /** The query in canonical form. */
  readonly query: PolicyItem;
  /** The scopes that cover its claims, without duplicates, in order of first use. */
  readonly scopes: readonly Scope[];
  toJSON(): PolicyItem;
}

/** The scopes that several conditions require together. */
export type ScopesOf<Conditions extends readonly Condition[]> = Conditions[number]['scopes'][number];

/**
 * Creates a condition with a canonical copy of an item, which later changes of the original do not affect.
 *
 * @param claims - The claims of the item. If present, operands are checked against their types.
 * @throws {QueryError} When an operand is not valid JSON, such as `NaN`, or not valid for the operator or the claim, or when the item exceeds a
 *   default limit (L7).
 */
export function condition<Scope extends string>(
  item: PolicyItem,
  scopes: readonly Scope[],
  claims?: readonly ReadableClaim[],
): Condition<Scope> {
  // Parsing an item gives an item.
  const query = parse(item, { claims }) as PolicyItem;
  return Object.freeze({ query, scopes: Object.freeze([...new Set(scopes)]), toJSON: () => query });
}
