/** Which scopes there are, what they imply, and which claims they cover (L20). */

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
