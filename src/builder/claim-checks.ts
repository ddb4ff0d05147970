/** The checks that a claim's type allows, and none that it does not (L14–L18). */
import {
  type JsonPrimitive,
  type JsonValue,
  type OperatorName,
  type PolicyItem,
  parse,
} from '../engine/index.js';
import type { TypedClaim, ValueOf } from './claim-types.js';
import { type ClaimProjection, projection } from './projection.js';

/** What every claim can be asked. */
interface AnyChecks<Claim extends TypedClaim> {
  /** Whether the claim is there at all. */
  isDefined(): Condition<Claim['scope']>;
  /** The whole value. */
  pluck(): ClaimProjection<Claim['path'], Claim['scope']>;
}

interface EqualityChecks<Claim extends TypedClaim> {
  equals(value: ValueOf<Claim>): Condition<Claim['scope']>;
  /** Defined, and another value. */
  differsFrom(value: ValueOf<Claim>): Condition<Claim['scope']>;
}

interface ListChecks<Claim extends TypedClaim> {
  in(values: readonly [ValueOf<Claim>, ...ValueOf<Claim>[]]): Condition<Claim['scope']>;
  /** Defined, and none of these. */
  notIn(values: readonly ValueOf<Claim>[]): Condition<Claim['scope']>;
}

interface OrderChecks<Claim extends TypedClaim> {
  gt(value: ValueOf<Claim>): Condition<Claim['scope']>;
  gte(value: ValueOf<Claim>): Condition<Claim['scope']>;
  lt(value: ValueOf<Claim>): Condition<Claim['scope']>;
  lte(value: ValueOf<Claim>): Condition<Claim['scope']>;
}

interface TextChecks<Claim extends TypedClaim> {
  startsWith(beginning: string): Condition<Claim['scope']>;
  /** An RE2 pattern, searched anywhere in the text. */
  matches(pattern: string): Condition<Claim['scope']>;
}

interface ArrayChecks<Claim extends TypedClaim> {
  contains(element: JsonValue): Condition<Claim['scope']>;
  /** The element at an index; a negative one counts from the end. */
  at(index?: number): ClaimProjection<Claim['path'], Claim['scope']>;
}

interface ObjectChecks<Claim extends TypedClaim> {
  /** Some of its members. */
  pick(fields: readonly [string, ...string[]]): ClaimProjection<Claim['path'], Claim['scope']>;
}

/** What a claim of a type can be asked. */
export type ClaimChecks<Claim extends TypedClaim> = AnyChecks<Claim> &
  (Claim extends { readonly type: 'number' | 'integer' }
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

/** All of them: which there are for a claim is for its type to say. */
type AllChecks = AnyChecks<TypedClaim> & {
  readonly [name: string]: (...operands: never[]) => unknown;
};

/** The checks on a claim. */
export function claimChecks({ path, scope }: TypedClaim): AllChecks {
  const check = (operator: OperatorName, value: JsonValue) =>
    condition({ check: { claim: path, operator, value } }, [scope]);
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
    startsWith: (beginning: string) => check('startsWith', beginning),
    matches: (pattern: string) => check('matchRegex', pattern),
    contains: (element: JsonValue) => check('contains', element),
    pluck: () => projection({ claim: path, lens: 'pluck' }, scope),
    pick: (fields: readonly string[]) => projection({ claim: path, lens: 'pick', fields }, scope),
    at: (index = 0) => projection({ claim: path, lens: 'at', index }, scope),
  });
}

/**
 * A query that passes or does not, and what it needs. Immutable.
 *
 * `JSON.stringify` writes the query itself, so that a condition can be sent as it is.
 */
export interface Condition<Scope extends string = string> {
  /** Canonical: what `parse` returns for it. */
  readonly query: PolicyItem;
  /** The scopes that cover its claims, each once, in order of first use. */
  readonly scopes: readonly Scope[];
  toJSON(): PolicyItem;
}

/** The scopes that several conditions need together. */
export type ScopesOf<Conditions extends readonly Condition[]> = Conditions[number]['scopes'][number];

/**
 * Makes a condition of a query's item: a canonical copy, so that what it was made of may change.
 *
 * @throws {QueryError} When an operand is none that JSON or the operator has, such as `NaN`.
 */
export function condition<Scope extends string>(
  item: PolicyItem,
  scopes: readonly Scope[],
): Condition<Scope> {
  // An item is parsed to an item.
  const query = parse(item) as PolicyItem;
  return Object.freeze({ query, scopes: Object.freeze([...new Set(scopes)]), toJSON: () => query });
}
