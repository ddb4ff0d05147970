/** Parses and encodes catalogue files: complete catalogues, or changes to the default catalogue. */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Catalogue, CatalogueClaim, Derivation, ScopeTexts } from '../scopes/catalogue.js';
import { DEFAULT_CLAIMS, DEFAULT_PRESETS, DEFAULT_SCOPES } from '../scopes/default-catalogue.js';
import { CatalogueError } from './catalogue-problems.js';
import { readCatalogueFile } from './read-catalogue.js';

/** The default catalogue. */
export const DEFAULT_CATALOGUE: Catalogue = Object.freeze({
  scopes: DEFAULT_SCOPES,
  claims: DEFAULT_CLAIMS,
  presets: DEFAULT_PRESETS,
});

/**
 * Parses a catalogue file of `scopes`, `claims` and `presets`. With `"extends": "default"`, its entries are added to the
 * default catalogue and replace entries of the same name.
 *
 * The members of a file are in snake case (`display_name`, `implied_scopes`, `also_covers`, `max_evidence`,
 * `inference_bound`, `years_before_now`, `consent_text`), those of the result in camel case (`displayName`, `implies`, `alsoCovers`,
 * `maxEvidence`, `inferenceBound`, `yearsBeforeNow`, `consentText`), as `createEngine` and `createQueryBuilder` require.
 *
 * @param json - Parsed JSON. Not modified.
 * @throws {CatalogueError} With every problem and its JSON Pointer.
 * @example
 * createEngine({ catalogue: parseCatalogue(JSON.parse(text)) })
 */
export function parseCatalogue(json: unknown): Catalogue {
  if (typeof json === 'string')
    throw new CatalogueError([
      {
        code: 'not_an_object',
        pointer: '',
        message: 'The catalogue must be an object, not a string. Parse the text with `JSON.parse`.',
      },
    ]);
  return readCatalogueFile(json, DEFAULT_CATALOGUE);
}

/** Encodes a catalogue as JSON that `parseCatalogue` accepts. Never throws. */
export function encodeCatalogue({ scopes, claims, presets }: Catalogue): Readonly<Record<string, unknown>> {
  return {
    scopes: scopes.map(({ displayName, implies, alsoCovers, maxEvidence, texts, ...scope }) => ({
      ...scope,
      display_name: displayName,
      ...(texts === undefined ? {} : { texts: encodeTexts(texts) }),
      implied_scopes: implies,
      also_covers: alsoCovers,
      max_evidence: maxEvidence,
    })),
    claims: claims.map(encodeClaim),
    presets: presets.map(({ consentText, ...preset }) => ({ ...preset, consent_text: consentText })),
  };
}

function encodeTexts(texts: Readonly<Record<string, ScopeTexts>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(texts).map(([language, { displayName, ...rest }]) => [
      language,
      { display_name: displayName, ...rest },
    ]),
  );
}

function encodeClaim({
  displayName,
  inferenceBound,
  derived,
  ...claim
}: CatalogueClaim): Readonly<Record<string, unknown>> {
  return {
    ...claim,
    ...omitUndefined({
      display_name: displayName,
      inference_bound: inferenceBound,
      derived: derived === undefined ? undefined : encodeDerivation(derived),
    }),
  };
}

function encodeDerivation(derived: Derivation): Readonly<Record<string, unknown>> {
  if (!('check' in derived)) return derived;
  const { operator, ...operand } = derived.check;
  const written = 'value' in operand ? operand : { years_before_now: operand.yearsBeforeNow };
  return { parent: derived.parent, check: { operator, ...written } };
}
