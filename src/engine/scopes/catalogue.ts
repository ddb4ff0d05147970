/** Catalogues: scopes, what they imply and which claims they cover (L20), claims and presets. The default one is in `default-catalogue.ts`. */
import type { JsonValue } from '../claims/json-value.js';
import type { OperatorName } from '../operators/operators.js';

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

/** A scope as data. */
export interface ScopeDefinition {
  readonly name: string;
  /** Scopes that come with this one. */
  readonly implies?: readonly string[];
  /** Claim paths, or categories, that this scope covers with all that lies below them. */
  readonly covers?: readonly string[];
}

/** Answers what a grant is good for. Immutable; safe to share. */
export interface ScopeCatalogue {
  /** Every scope's name, as defined. */
  readonly scopes: readonly string[];
  /** The granted scopes with all that they imply. Names that are no scopes are left out. Never throws. */
  expand(granted: Iterable<string>): ReadonlySet<string>;
  /** The scopes of which any one covers a claim path; none where no scope does. Never throws. */
  coveringScopes(path: string): readonly string[];
}

/**
 * Builds a catalogue. The longest listed path governs: where a claim is listed, what covers its category does not cover it.
 *
 * @throws {RangeError} When a scope is defined twice, implies one that is not defined, or implies itself by way of others.
 * @see L20
 */
export function createScopeCatalogue(definitions: readonly ScopeDefinition[]): ScopeCatalogue {
  const implied = new Map<string, readonly string[]>();
  const covering = new Map<string, string[]>();
  for (const { name, implies = [], covers = [] } of definitions) {
    if (implied.has(name)) throw new RangeError(`scope is defined twice: \`${name}\``);
    implied.set(name, implies);
    for (const path of new Set(covers)) covering.set(path, [...(covering.get(path) ?? []), name]);
  }
  const scopes = Object.freeze([...implied.keys()]);
  const closures = new Map(scopes.map((name) => [name, close(name, implied, [])]));
  return {
    scopes,
    expand: (granted) => new Set([...granted].flatMap((name) => closures.get(name) ?? [])),
    coveringScopes: (path) => governing(path, covering),
  };
}

function governing(path: string, covering: ReadonlyMap<string, readonly string[]>): readonly string[] {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const scopes = covering.get(path.slice(0, end));
    if (scopes !== undefined) return scopes;
  }
  return [];
}

/** A scope, with all that it implies. */
function close(
  name: string,
  implied: ReadonlyMap<string, readonly string[]>,
  path: readonly string[],
): readonly string[] {
  const next = implied.get(name);
  if (next === undefined) throw new RangeError(`implied scope is not defined: \`${name}\``);
  if (path.includes(name)) throw new RangeError(`scope implies itself: ${[...path, name].join(' → ')}`);
  return [name, ...next.flatMap((further) => close(further, implied, [...path, name]))];
}
