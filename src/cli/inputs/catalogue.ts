/** The option `--catalogue` of the commands that need no service. */
import {
  type Catalogue,
  createEngine,
  createScopeCatalogue,
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
  type Engine,
  re2js,
  type ScopeCatalogue,
  toScopeDefinitions,
} from '../../index.js';
import { readCatalogueFile } from '../catalogue-file.js';

/** The value of `--catalogue` for claims without scopes. */
const NO_CATALOGUE = 'none';

export const CATALOGUE_OPTION = [
  '--catalogue <file>',
  `catalogue file with your scopes and claims, or \`${NO_CATALOGUE}\`: every claim, and no scopes`,
] as const;

/** The catalogue of a command. */
export interface CommandCatalogue {
  /** Whether `--catalogue` names a file. */
  readonly isOwn: boolean;
  /** Compiles queries for this catalogue. With the catalogue of a file, its claim sets reject values of wrong types. */
  readonly engine: Engine;
  /** Absent for `none`. */
  readonly claims?: Catalogue['claims'];
  readonly scopes: ScopeCatalogue | 'none';
  /** The catalogue for analyses: `none`, or the content of a file; the default catalogue where absent. */
  readonly analyzed?: Pick<Catalogue, 'scopes' | 'claims'> | 'none';
}

/**
 * Reads `--catalogue`. Default: the default catalogue.
 *
 * @param unknownClaims - Whether the engine accepts queries on claims that the catalogue of a file does not list.
 * @throws {CommandError} If the file is invalid.
 */
export function readCatalogueOption(
  file: string | undefined,
  unknownClaims: 'reject' | 'allow' = 'reject',
): CommandCatalogue {
  if (file === NO_CATALOGUE) {
    const engine = createEngine({ catalogue: NO_CATALOGUE, regex: re2js });
    return { isOwn: false, engine, scopes: NO_CATALOGUE, analyzed: NO_CATALOGUE };
  }
  const isOwn = file !== undefined;
  const { scopes, claims } = isOwn
    ? readCatalogueFile(file)
    : { scopes: DEFAULT_SCOPES, claims: DEFAULT_CLAIMS };
  return {
    isOwn,
    engine: createEngine({
      regex: re2js,
      unknownClaims,
      ...(isOwn ? { catalogue: { scopes, claims } } : {}),
    }),
    claims,
    scopes: createScopeCatalogue(toScopeDefinitions(scopes, claims)),
    ...(isOwn ? { analyzed: { scopes, claims } } : {}),
  };
}
