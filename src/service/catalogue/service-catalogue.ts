/** The catalogue of the service: look-ups of scopes, claims and presets by name. */

import { CatalogueError, findCatalogueProblems } from '../../engine/catalogue/catalogue-problems.js';
import { DEFAULT_CATALOGUE } from '../../engine/catalogue/parse-catalogue.js';
import {
  type Catalogue,
  type CatalogueClaim,
  type CatalogueScope,
  type ClaimType,
  createScopeCatalogue,
  type EvidenceLevel,
  type RegexEngine,
  type ScopeCatalogue,
  SENSITIVITIES,
  type Sensitivity,
  toScopeDefinitions,
} from '../../engine/index.js';

/** A preset with the properties of its claim. */
export interface Preset {
  readonly name: string;
  /** The claim path of the preset. */
  readonly claim: string;
  readonly scope: string;
  readonly category: string;
  readonly description: string;
  readonly consentText: string;
  readonly type: ClaimType;
  readonly sensitivity: Sensitivity;
  readonly derived: boolean;
  /** For a derived claim, the preset of the parent claim; absent if there is none. */
  readonly parentField?: string;
}

/** A scope whose results contain less than full evidence. */
export interface EvidenceLimit {
  readonly scope: string;
  readonly level: EvidenceLevel;
  /** The scope itself and the scopes that it implies. */
  readonly includes: readonly string[];
}

/** Immutable; safe to share. Look-ups never reach a prototype (S142). */
export interface ServiceCatalogue {
  readonly definition: Catalogue;
  /** Which scopes cover which claims (L20). */
  readonly scopes: ScopeCatalogue;
  readonly presets: readonly Preset[];
  /** The scopes that limit evidence; usually none. */
  readonly evidenceLimits: readonly EvidenceLimit[];
  findScope(name: string): CatalogueScope | undefined;
  /** Returns the highest sensitivity among scopes and the scopes that they imply; `undefined` if all are unknown. */
  sensitivityOf(scopes: readonly string[]): Sensitivity | undefined;
  findClaim(path: string): CatalogueClaim | undefined;
  findPreset(name: string): Preset | undefined;
}

/**
 * Creates the catalogue of the service.
 *
 * @param regex - Compiles the patterns of derived claims; without it, patterns are not validated.
 * @throws {CatalogueError} With every problem; pointers refer to the definition.
 */
export function createServiceCatalogue(
  definition: Catalogue = DEFAULT_CATALOGUE,
  regex?: RegexEngine,
): ServiceCatalogue {
  const pointers = new Map(
    (['scopes', 'claims', 'presets'] as const).flatMap((list) =>
      definition[list].map((entry, index) => [entry, `/${list}/${index}`] as const),
    ),
  );
  const problems = findCatalogueProblems(definition, (entry) => pointers.get(entry) ?? '', regex);
  if (problems.length > 0) throw new CatalogueError(problems);
  const scopes = new Map(definition.scopes.map((scope) => [scope.name, scope]));
  const claims = new Map(definition.claims.map((claim) => [claim.path, claim]));
  const presets = definition.presets.map(({ name, claim, consentText }): Preset => {
    const { scope, description, type, sensitivity, derived } = claims.get(claim) as CatalogueClaim;
    const parent = definition.presets.find((other) => other.claim === derived?.parent);
    const category = scopes.get(scope)?.category ?? '';
    const about = { scope, category, description, consentText, type, sensitivity };
    return {
      name,
      claim,
      ...about,
      derived: derived !== undefined,
      ...(parent === undefined ? {} : { parentField: parent.name }),
    };
  });
  const presetsByName = new Map(presets.map((preset) => [preset.name, preset]));
  const scopeCatalogue = createScopeCatalogue(toScopeDefinitions(definition.scopes, definition.claims));
  return {
    definition,
    scopes: scopeCatalogue,
    presets,
    evidenceLimits: definition.scopes.flatMap(({ name, maxEvidence: level = 'full' }) =>
      level === 'full' ? [] : [{ scope: name, level, includes: [...scopeCatalogue.expand([name])] }],
    ),
    findScope: (name) => scopes.get(name),
    sensitivityOf: (names) => {
      const found = new Set([...scopeCatalogue.expand(names)].map((name) => scopes.get(name)?.sensitivity));
      return SENSITIVITIES.findLast((sensitivity) => found.has(sensitivity));
    },
    findClaim: (path) => claims.get(path),
    findPreset: (name) => presetsByName.get(name),
  };
}
