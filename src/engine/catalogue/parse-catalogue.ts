/** Parses and encodes catalogue files: complete catalogues, or changes to the default catalogue. */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { ParseOptions } from '../query/parse-context.js';
import type {
  Catalogue,
  CatalogueClaim,
  CataloguePreset,
  Derivation,
  ScopeTexts,
} from '../scopes/catalogue.js';
import { DEFAULT_CLAIMS, DEFAULT_PRESETS, DEFAULT_SCOPES } from '../scopes/default-catalogue.js';
import {
  type CatalogueEntry,
  CatalogueError,
  type CatalogueProblem,
  FILE_NAMES,
  findCatalogueProblems,
} from './catalogue-problems.js';
import { CatalogueReader } from './read-entries.js';

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
 * @param options.regex - Compiles the patterns of derived claims, to report invalid ones; without it, patterns are not validated.
 * @throws {CatalogueError} With every problem and its JSON Pointer.
 * @example
 * createEngine({ catalogue: parseCatalogue(JSON.parse(text)) })
 */
export function parseCatalogue(json: unknown, options?: Pick<ParseOptions, 'regex'>): Catalogue {
  if (typeof json === 'string')
    throw new CatalogueError([
      {
        code: 'not_an_object',
        pointer: '',
        message: 'The catalogue must be an object, not a string. Parse the text with `JSON.parse`.',
      },
    ]);
  const reader = new CatalogueReader(FILE_NAMES);
  const file = reader.object(json, '', ['extends', 'scopes', 'claims', 'presets']);
  reader.optional(file, 'extends', '', () => reader.oneOf(file, 'extends', '', ['default']));
  const own: Catalogue = {
    ...reader.scopesAndClaims(file),
    presets: reader.entriesOf(file, 'presets', (value, pointer) => readPreset(value, pointer, reader)),
  };
  const catalogue = file?.['extends'] === undefined ? own : withChanges(DEFAULT_CATALOGUE, own);
  const pointerOf = (entry: CatalogueEntry) => reader.pointers.get(entry) ?? BASE_POINTER;
  reader.assertValid(findCatalogueProblems(catalogue, pointerOf, options?.regex).map(toFilePointer));
  return catalogue;
}

/** Marks entries of the default catalogue, which have no pointer in the file. */
const BASE_POINTER = 'default';

/** Reports a problem of an entry of the default catalogue at the root of the file. */
function toFilePointer(problem: CatalogueProblem): CatalogueProblem {
  if (!problem.pointer.startsWith(BASE_POINTER)) return problem;
  const message = `In the default catalogue, as changed by this file: ${problem.message}`;
  return { ...problem, pointer: '', message };
}

function readPreset(value: unknown, pointer: string, reader: CatalogueReader): CataloguePreset | undefined {
  const preset = reader.object(value, pointer, ['name', 'claim', 'consent_text']);
  const name = reader.lowercaseName(preset, 'name', pointer);
  const claim = reader.string(preset, 'claim', pointer);
  const consentText = reader.string(preset, 'consent_text', pointer);
  if (name === undefined || claim === undefined || consentText === undefined) return undefined;
  return { name, claim, consentText };
}

/** Replaces the entries of a catalogue that have the same name, and appends new ones. */
function withChanges(base: Catalogue, changes: Catalogue): Catalogue {
  return {
    scopes: merge(base.scopes, changes.scopes, ({ name }) => name),
    claims: merge(base.claims, changes.claims, ({ path }) => path),
    presets: merge(base.presets, changes.presets, ({ name }) => name),
  };
}

/** Merges entries by name: a changed entry keeps its place. Duplicates in the file are kept, so that they are reported. */
function merge<Entry>(
  base: readonly Entry[],
  changes: readonly Entry[],
  nameOf: (entry: Entry) => string,
): readonly Entry[] {
  const names = base.map(nameOf);
  return [
    ...base.flatMap((entry, index) => {
      const own = changes.filter((change) => nameOf(change) === names[index]);
      return own.length === 0 ? entry : own;
    }),
    ...changes.filter((change) => !names.includes(nameOf(change))),
  ];
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
