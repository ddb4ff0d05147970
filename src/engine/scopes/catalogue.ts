/** What a catalogue says of scopes, claims and presets; the default one is in `default-catalogue.ts`, deployments may bring their own. */
import type { JsonValue } from '../claims/json-value.js';
import type { OperatorName } from '../operators/operators.js';
import type { ScopeDefinition } from './scope-catalogue.js';

/** What a claim's value is, as its issuers attest it. */
export const CLAIM_TYPES = [
  'boolean',
  'string',
  'number',
  'integer',
  'date',
  'datetime',
  'array',
  'object',
  'enum',
] as const;

export type ClaimType = (typeof CLAIM_TYPES)[number];

/** From what anyone may know to what does harm in the wrong hands. */
export const SENSITIVITIES = ['low', 'medium', 'high', 'critical'] as const;

export type Sensitivity = (typeof SENSITIVITIES)[number];

/** A scope that people are asked for, in words that they understand. */
export interface CatalogueScope {
  readonly name: string;
  readonly category: string;
  /** The highest that a claim under this scope may have. */
  readonly sensitivity: Sensitivity;
  readonly displayName: string;
  readonly description: string;
  /** What an application would see, of somebody made up; absent where the description is all there is to say. */
  readonly example?: string;
  /** Scopes that come with this one. */
  readonly implies?: readonly string[];
  /** Claim paths that this scope covers besides the claims that name it as their `scope`. */
  readonly alsoCovers?: readonly string[];
}

/** A check on the parent's value whose outcome is the derived claim's value. */
export type DerivationCheck = { readonly operator: OperatorName } & (
  | { readonly value: JsonValue }
  /** The operand is the day that lies so many years before the instant of evaluation, in UTC. */
  | { readonly yearsBeforeNow: number }
);

/** How a claim follows from another: by a check of the language, or by one of the rules that no check can say. */
export type Derivation = { readonly parent: string } & (
  | { readonly check: DerivationCheck }
  /** `full_years`: whole years since a date, in UTC. `region`: the world region of an ISO 3166-1 alpha-2 country. */
  | { readonly rule: 'full_years' | 'region' }
);

/** A claim, its type, and the scope that covers it. */
export interface CatalogueClaim {
  readonly path: string;
  readonly type: ClaimType;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  readonly description: string;
  /** What an `enum` may be. */
  readonly values?: readonly string[];
  /** Present where no issuer attests the claim: it is worked out from its parent. */
  readonly derived?: Derivation;
}

/** A claim under a name of its own, for those who ask without writing a query. */
export interface CataloguePreset {
  readonly name: string;
  readonly claim: string;
  /** What a person reads before they agree to it. */
  readonly consentText: string;
}

/** Everything of which a service speaks. */
export interface Catalogue {
  readonly scopes: readonly CatalogueScope[];
  readonly claims: readonly CatalogueClaim[];
  readonly presets: readonly CataloguePreset[];
}

/** The scope definitions of a catalogue's scopes and claims: each scope covers the claims that name it, and those that it lists. Never throws. */
export function toScopeDefinitions(
  scopes: Catalogue['scopes'],
  claims: Catalogue['claims'],
): readonly ScopeDefinition[] {
  return scopes.map(({ name, implies = [], alsoCovers = [] }) => ({
    name,
    implies,
    covers: [...claims.filter(({ scope }) => scope === name).map(({ path }) => path), ...alsoCovers],
  }));
}
