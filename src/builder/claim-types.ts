/** What TypeScript knows of a catalogue's claims: by path, what a check may compare with, and which scope covers it. */
import type { CatalogueClaim, DefaultClaim, JsonValue } from '../engine/index.js';

/** A claim as the types need it; `CatalogueClaim`s written `as const` are such. */
export type TypedClaim = Pick<CatalogueClaim, 'path' | 'type' | 'scope'> & {
  readonly values?: readonly string[];
};

/** The claims of the default catalogue, each with its literal types. */
export type DefaultClaims = DefaultClaim;

/** The claim of a path. */
export type ClaimAt<Claims extends TypedClaim, Path extends Claims['path']> = Extract<
  Claims,
  { readonly path: Path }
>;

/** An RFC 3339 date, or date-time with its offset, as far as a type can tell. */
export type DateText =
  | `${number}-${number}-${number}`
  | `${number}-${number}-${number}T${number}:${number}:${number}${'Z' | `+${string}` | `-${string}`}`;

/** What a claim's value is. */
export type ValueOf<Claim extends TypedClaim> = Claim extends { readonly type: 'boolean' }
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
            ? readonly JsonValue[]
            : { readonly [member: string]: JsonValue };
