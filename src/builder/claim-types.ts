/** Types of a catalogue's claims: values and scopes by path. */
import type { CatalogueClaim, ClaimType, DefaultClaim, JsonValue } from '../engine/index.js';

/** A claim with the members that the types need, such as a `CatalogueClaim` declared `as const`. */
export type TypedClaim = Pick<CatalogueClaim, 'path' | 'type' | 'scope'> & {
  readonly values?: readonly string[];
};

/** The claims of the default catalogue, with literal types. */
export type DefaultClaims = DefaultClaim;

/** The claim at a path. If the type does not list the paths, as for claims that were parsed from JSON: the union of all claims. */
export type ClaimAt<Claims extends TypedClaim, Path extends Claims['path']> = string extends Claims['path']
  ? Claims
  : Extract<Claims, { readonly path: Path }>;

/** Whether the type of a claim is not known to the compiler. */
export type IsUntyped<Claim extends TypedClaim> = ClaimType extends Claim['type'] ? true : false;

/** An RFC 3339 date, or date-time with an offset, as far as a type can express it. */
export type DateText =
  | `${number}-${number}-${number}`
  | `${number}-${number}-${number}T${number}:${number}:${number}${'Z' | `+${string}` | `-${string}`}`;

/** The type of an element of an array: one of its `values`, where the claim lists them. */
export type ElementOf<Claim extends TypedClaim> = Claim extends {
  readonly values: readonly (infer Value extends string)[];
}
  ? Value
  : JsonValue;

/** The type of a claim's value. */
export type ValueOf<Claim extends TypedClaim> =
  IsUntyped<Claim> extends true
    ? JsonValue
    : Claim extends { readonly type: 'boolean' }
      ? boolean
      : Claim extends { readonly type: 'number' | 'integer' }
        ? number
        : Claim extends { readonly type: 'enum'; readonly values: readonly (infer Value extends string)[] }
          ? Value
          : Claim extends { readonly type: 'string' | 'enum' }
            ? string
            : Claim extends { readonly type: 'date' | 'datetime' }
              ? DateText
              : Claim extends { readonly type: 'array' }
                ? readonly ElementOf<Claim>[]
                : { readonly [member: string]: JsonValue };

/**
 * Plain claims by path, as `engine.claims.of` accepts them, of a catalogue with literal types. A claim that is absent or
 * `undefined` is not defined.
 *
 * @example
 * const member: ClaimsOf<typeof catalogue> = { 'club.tier': 'gold', 'club.since': '2026-01-31' };
 */
export type ClaimsOf<Catalogue extends { readonly claims: readonly TypedClaim[] }> = {
  readonly [Claim in Catalogue['claims'][number] as Claim['path']]?: PlainValueOf<Claim> | undefined;
};

/** The type of a claim's value in {@link ClaimsOf}. A date is a `string`, since few programs have dates of the type {@link DateText}. */
type PlainValueOf<Claim extends TypedClaim> = Claim extends { readonly type: 'date' | 'datetime' }
  ? string
  : ValueOf<Claim>;
