/**
 * Catalogues: scopes, the scopes that they imply and the claims that they cover (L20), claims and presets. The
 * default catalogue is in `default-catalogue.ts`.
 */
import type { JsonValue } from '../claims/json-value.js';
import type { OperatorName } from '../operators/operators.js';
import { assertArray, assertObject, toStrings, wrongType } from '../value-types.js';

/** The types of claim values. */
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

/** Levels of sensitivity, from public information to information that causes harm when disclosed. */
export const SENSITIVITIES = ['low', 'medium', 'high', 'critical'] as const;

export type Sensitivity = (typeof SENSITIVITIES)[number];

/** How much of its evidence a result contains, from most to least: values, only the outcomes of checks, or only the verdict. */
export const EVIDENCE_LEVELS = ['full', 'checks', 'none'] as const;

export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

/** The texts of a scope in one language. */
export interface ScopeTexts {
  readonly displayName: string;
  readonly description: string;
  readonly example?: string;
}

/** A scope, with the texts shown to the people who grant it. */
export interface CatalogueScope {
  readonly name: string;
  readonly category: string;
  /** Upper bound of the sensitivity of the claims that it covers and of the scopes that it implies. */
  readonly sensitivity: Sensitivity;
  readonly displayName: string;
  readonly description: string;
  /** A fictional example of the disclosed values; absent where the description suffices. */
  readonly example?: string;
  /** The texts in other languages, by language (BCP 47). */
  readonly texts?: Readonly<Record<string, ScopeTexts>>;
  /** Scopes that this scope includes. */
  readonly implies?: readonly string[];
  /** Claim paths that this scope covers in addition to the claims that name it as their `scope`. */
  readonly alsoCovers?: readonly string[];
  /** The most evidence that results about its claims contain. Default: `full`. */
  readonly maxEvidence?: EvidenceLevel;
}

/** A check on the parent's value; its outcome is the derived claim's value. */
export type DerivationCheck = { readonly operator: OperatorName } & (
  | { readonly value: JsonValue }
  /** The operand is the day this many years before the instant of evaluation, in UTC. */
  | { readonly yearsBeforeNow: number }
);

/** How a claim is derived from another: by a check of the language, or by a rule that no check can express. */
export type Derivation = { readonly parent: string } & (
  | { readonly check: DerivationCheck }
  /** `full_years`: whole years since a date, in UTC. `region`: the world region of an ISO 3166-1 alpha-2 country. */
  | { readonly rule: 'full_years' | 'region' }
);

/** The texts of a claim in one language. */
export interface ClaimTexts {
  /** The name in sentences to the person, with its possessive: `Ihre Mitgliedsstufe`. */
  readonly label: string;
  /** The names of values, by the value as text. */
  readonly values?: Readonly<Record<string, string>>;
}

/**
 * How far results without values (verdicts and outcomes of checks) may together narrow down the value of a claim. The values that remain possible must
 * have at least this size. `width`: the total width of the intervals of numbers between `from` and `to`. `years`: the total duration of the intervals of
 * dates from `from` to `to`, which defaults to the day of the evaluation. `values`: the number of values.
 */
export type InferenceBound =
  | { readonly width: number; readonly from: number; readonly to: number }
  | { readonly years: number; readonly from: string; readonly to?: string }
  | { readonly values: number };

/** A claim, its type, and the scope that covers it. */
export interface CatalogueClaim {
  readonly path: string;
  readonly type: ClaimType;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  /** The name in sentences to the person, after “your”. Defaults to the last name of the path as words. */
  readonly displayName?: string;
  readonly description: string;
  /** The values of an `enum`, or of the elements of an `array`. */
  readonly values?: readonly string[];
  /** How values are shown to people: `country` for ISO 3166-1 alpha-2 codes; an ISO 4217 code for amounts of money. */
  readonly format?: string;
  /** Other claims of the catalogue whose values this claim reveals, wholly or partly. */
  readonly reveals?: readonly string[];
  /** The texts by language (BCP 47). */
  readonly texts?: Readonly<Record<string, ClaimTexts>>;
  /** Not for derived claims: the bound of a parent also applies to the claims that are derived from it. */
  readonly inferenceBound?: InferenceBound;
  /** Present for a claim that is derived from its parent instead of attested by an issuer. */
  readonly derived?: Derivation;
}

/** A named claim, for applications that do not write queries. */
export interface CataloguePreset {
  readonly name: string;
  readonly claim: string;
  /** The text shown to a person before consent. */
  readonly consentText: string;
}

/** The scopes, claims and presets of a service. */
export interface Catalogue {
  readonly scopes: readonly CatalogueScope[];
  readonly claims: readonly CatalogueClaim[];
  readonly presets: readonly CataloguePreset[];
}

/**
 * Converts scopes and claims to scope definitions: each scope covers the claims that name it as their `scope`, and its `alsoCovers`.
 *
 * @throws {TypeError} For anything but arrays of objects.
 */
export function toScopeDefinitions(
  scopes: Catalogue['scopes'],
  claims: Catalogue['claims'],
): readonly ScopeDefinition[] {
  assertArray('`scopes`', scopes);
  assertArray('`claims`', claims);
  for (const entry of [...scopes, ...claims]) assertObject('an entry of a catalogue', entry);
  return scopes.map(({ name, implies = [], alsoCovers = [] }) => ({
    name,
    implies,
    covers: [...claims.filter(({ scope }) => scope === name).map(({ path }) => path), ...alsoCovers],
  }));
}

/** The definition of a scope. */
export interface ScopeDefinition {
  readonly name: string;
  /** Scopes that this scope includes. */
  readonly implies?: readonly string[];
  /** Claim paths, or categories, that this scope covers with everything below them, except at and below a longer path that a scope lists (L20). */
  readonly covers?: readonly string[];
}

/** Resolves which claims granted scopes cover. Immutable; safe to share. */
export interface ScopeCatalogue {
  /** The names of all scopes, as defined. */
  readonly scopes: readonly string[];
  /** The claim paths and categories that scopes cover, from which error messages suggest the nearest. */
  readonly covered?: readonly string[];
  /** Returns the granted scopes with all scopes that they imply. Unknown names are omitted. @throws {TypeError} For anything but strings. */
  expand(granted: Iterable<string>): ReadonlySet<string>;
  /** Returns the scopes that cover a claim path, one of which is required; empty where no scope does. @throws {TypeError} For anything but a string. */
  coveringScopes(path: string): readonly string[];
}

/**
 * Creates a scope catalogue. The longest listed path governs: scopes that cover a category do not cover a claim that
 * is listed itself.
 *
 * @throws {RangeError} When a scope is defined twice, implies an undefined scope, or implies itself, directly or through others.
 * @throws {TypeError} When `definitions` is not an array of objects, a name is empty, or a member has the wrong type.
 * @see L20
 */
export function createScopeCatalogue(definitions: readonly ScopeDefinition[]): ScopeCatalogue {
  assertArray('`definitions`', definitions);
  const implied = new Map<string, readonly string[]>();
  const covering = new Map<string, readonly string[]>();
  for (const definition of definitions) {
    assertObject('a scope definition', definition);
    const { name } = definition;
    if (typeof name !== 'string' || name === '')
      throw wrongType('`name` of a scope', 'a string that is not empty', name);
    const implies = toStrings('`implies`', definition.implies ?? []);
    const covers = toStrings('`covers`', definition.covers ?? []);
    if (implied.has(name)) throw new RangeError(`a scope must not be defined twice (got \`${name}\` twice)`);
    implied.set(name, implies);
    for (const path of new Set(covers))
      covering.set(path, Object.freeze([...(covering.get(path) ?? []), name]));
  }
  const scopes = Object.freeze([...implied.keys()]);
  const closures = new Map<string, readonly string[]>();
  for (const name of scopes) close(name, implied, closures, []);
  return {
    scopes,
    covered: Object.freeze([...covering.keys()]),
    expand: (granted) => new Set(toStrings('`granted`', granted).flatMap((name) => closures.get(name) ?? [])),
    coveringScopes: (path) => {
      if (typeof path !== 'string') throw wrongType('`path`', 'a string', path);
      return governing(path, covering);
    },
  };
}

function governing(path: string, covering: ReadonlyMap<string, readonly string[]>): readonly string[] {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const scopes = covering.get(path.slice(0, end));
    if (scopes !== undefined) return scopes;
  }
  return [];
}

/** Returns a scope with all scopes that it implies, and adds them to `closures`. @param path - The scopes that led to it. */
function close(
  name: string,
  implied: ReadonlyMap<string, readonly string[]>,
  closures: Map<string, readonly string[]>,
  path: readonly string[],
): readonly string[] {
  const known = closures.get(name);
  if (known !== undefined) return known;
  const next = implied.get(name);
  if (next === undefined) throw new RangeError(`an implied scope must be defined (got \`${name}\`)`);
  if (path.includes(name))
    throw new RangeError(`a scope must not imply itself: ${[...path, name].join(' → ')}`);
  const further = next.flatMap((scope) => close(scope, implied, closures, [...path, name]));
  const closure = [...new Set([name, ...further])];
  closures.set(name, closure);
  return closure;
}
