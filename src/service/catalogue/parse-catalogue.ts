/** Parses a catalogue from JSON, complete or as changes to the default catalogue. Reports all problems at once. */

import {
  type Catalogue,
  type CatalogueClaim,
  type CataloguePreset,
  type CatalogueScope,
  CLAIM_TYPES,
  type Derivation,
  type DerivationCheck,
  isClaimPath,
  type JsonValue,
  OPERATOR_NAMES,
  SENSITIVITIES,
} from '../../engine/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import {
  type CatalogueEntry,
  CatalogueError,
  type CatalogueProblem,
  findCatalogueProblems,
} from './catalogue-problems.js';
import { JsonReader } from './json-reader.js';
import { DEFAULT_CATALOGUE } from './service-catalogue.js';

/** RFC 6749 `scope-token` without characters that need escaping. */
const SCOPE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
const PRESET_NAME = /^[a-z][a-z0-9_]*$/;
const CATEGORY_NAME = /^[a-z][a-z0-9_]*$/;

/** Upper limit of `years_before_now`. */
const MAX_YEARS = 1_000;

/**
 * Parses a catalogue of `scopes`, `claims` and `presets`. With `"extends": "default"`, its entries are added to the default catalogue and replace
 * entries of the same name.
 *
 * @param json - Parsed JSON. Not modified.
 * @throws {CatalogueError} With every problem and its JSON Pointer.
 */
export function parseCatalogue(json: unknown): Catalogue {
  const reader = new CatalogueReader();
  const catalogue = reader.read(json);
  const pointers = reader.pointers;
  const problems = [
    ...reader.reported,
    ...findCatalogueProblems(catalogue, (entry) => pointers.get(entry) ?? DEFAULT_CATALOGUE_POINTER).map(
      toFilePointer,
    ),
  ];
  if (problems.length > 0) throw new CatalogueError(problems);
  return catalogue;
}

/** Marks entries of the default catalogue, which have no pointer in the file. */
const DEFAULT_CATALOGUE_POINTER = 'default:';

/** Reports a problem of an entry of the default catalogue at the root of the file. */
function toFilePointer(problem: CatalogueProblem): CatalogueProblem {
  if (!problem.pointer.startsWith(DEFAULT_CATALOGUE_POINTER)) return problem;
  const message = `In the default catalogue, as changed by this file: ${problem.message}`;
  return { ...problem, pointer: '', message };
}

class CatalogueReader extends JsonReader<CatalogueProblem['code']> {
  /** JSON Pointers of the parsed entries. */
  readonly pointers = new Map<CatalogueEntry, string>();

  read(json: unknown): Catalogue {
    const file = this.object(json, '', ['extends', 'scopes', 'claims', 'presets']);
    const extending = file?.['extends'] !== undefined;
    if (extending) this.oneOf(file, 'extends', '', ['default']);
    const base = extending ? DEFAULT_CATALOGUE : { scopes: [], claims: [], presets: [] };
    const list = <Entry extends CatalogueEntry>(
      name: string,
      read: (value: unknown, pointer: string) => Entry | undefined,
    ) =>
      this.list(file, name, '').flatMap((value, index) => {
        const pointer = `/${name}/${index}`;
        const entry = read(value, pointer);
        if (entry !== undefined) this.pointers.set(entry, pointer);
        return entry ?? [];
      });
    return {
      scopes: merge(
        base.scopes,
        list('scopes', (value, pointer) => this.#scope(value, pointer)),
        ({ name }) => name,
      ),
      claims: merge(
        base.claims,
        list('claims', (value, pointer) => this.#claim(value, pointer)),
        ({ path }) => path,
      ),
      presets: merge(
        base.presets,
        list('presets', (value, pointer) => this.#preset(value, pointer)),
        ({ name }) => name,
      ),
    };
  }

  #scope(value: unknown, pointer: string): CatalogueScope | undefined {
    const members = [
      'name',
      'category',
      'sensitivity',
      'display_name',
      'description',
      'example',
      'implied_scopes',
      'also_covers',
    ];
    const scope = this.object(value, pointer, members);
    const name = this.matching(scope, 'name', pointer, SCOPE_NAME, 'letters, digits and `.`, `_`, `:`, `-`');
    const category = this.#category(scope, pointer);
    const sensitivity = this.oneOf(scope, 'sensitivity', pointer, SENSITIVITIES);
    const displayName = this.string(scope, 'display_name', pointer);
    const description = this.string(scope, 'description', pointer);
    const example = scope?.['example'] === undefined ? undefined : this.string(scope, 'example', pointer);
    const implies = this.strings(scope, 'implied_scopes', pointer);
    const alsoCovers = this.strings(scope, 'also_covers', pointer);
    if (
      name === undefined ||
      category === undefined ||
      sensitivity === undefined ||
      displayName === undefined ||
      description === undefined
    ) {
      return undefined;
    }
    return {
      name,
      category,
      sensitivity,
      displayName,
      description,
      ...omitUndefined({ example }),
      ...(implies.length === 0 ? {} : { implies }),
      ...(alsoCovers.length === 0 ? {} : { alsoCovers }),
    };
  }

  #category(scope: Readonly<Record<string, unknown>> | undefined, pointer: string): string | undefined {
    return this.matching(scope, 'category', pointer, CATEGORY_NAME, 'lowercase letters, digits and `_`');
  }

  #claim(value: unknown, pointer: string): CatalogueClaim | undefined {
    const members = [
      'path',
      'type',
      'scope',
      'sensitivity',
      'display_name',
      'description',
      'values',
      'derived',
    ];
    const claim = this.object(value, pointer, members);
    const path = this.string(claim, 'path', pointer);
    if (path !== undefined && !isClaimPath(path)) {
      const message = 'A claim path must be two or more names joined by dots, such as `identity.age`.';
      this.add('name_malformed', `${pointer}/path`, message);
    }
    const type = this.oneOf(claim, 'type', pointer, CLAIM_TYPES);
    const scope = this.string(claim, 'scope', pointer);
    const sensitivity = this.oneOf(claim, 'sensitivity', pointer, SENSITIVITIES);
    const displayName =
      claim?.['display_name'] === undefined ? undefined : this.string(claim, 'display_name', pointer);
    const description = this.string(claim, 'description', pointer);
    const values = this.strings(claim, 'values', pointer);
    const derived =
      claim?.['derived'] === undefined ? undefined : this.#derivation(claim['derived'], `${pointer}/derived`);
    if (
      path === undefined ||
      type === undefined ||
      scope === undefined ||
      sensitivity === undefined ||
      description === undefined
    ) {
      return undefined;
    }
    return {
      path,
      type,
      scope,
      sensitivity,
      ...omitUndefined({ displayName }),
      description,
      ...(values.length === 0 ? {} : { values }),
      ...omitUndefined({ derived }),
    };
  }

  #derivation(value: unknown, pointer: string): Derivation | undefined {
    const derived = this.object(value, pointer, ['parent', 'check', 'rule']);
    const parent = this.string(derived, 'parent', pointer);
    if (derived === undefined || parent === undefined) return undefined;
    if ((derived['check'] === undefined) === (derived['rule'] === undefined)) {
      this.add('member_missing', pointer, 'A derivation must have exactly one of `check` and `rule`.');
      return undefined;
    }
    if (derived['rule'] !== undefined) {
      const rule = this.oneOf(derived, 'rule', pointer, ['full_years', 'region'] as const);
      return rule && { parent, rule };
    }
    const check = this.#check(derived['check'], `${pointer}/check`);
    return check && { parent, check };
  }

  #check(value: unknown, pointer: string): DerivationCheck | undefined {
    const check = this.object(value, pointer, ['operator', 'value', 'years_before_now']);
    const operator = this.oneOf(check, 'operator', pointer, OPERATOR_NAMES);
    if (check === undefined || operator === undefined) return undefined;
    const years = check['years_before_now'];
    if ((years === undefined) === (check['value'] === undefined)) {
      this.add('member_missing', pointer, 'A check must have exactly one of `value` and `years_before_now`.');
      return undefined;
    }
    // Whether the operand fits the operator is checked by the query compiler.
    if (years === undefined) return { operator, value: check['value'] as JsonValue };
    if (typeof years === 'number' && Number.isInteger(years) && years >= 0 && years <= MAX_YEARS) {
      return { operator, yearsBeforeNow: years };
    }
    const message = `\`years_before_now\` must be an integer from 0 to ${MAX_YEARS}.`;
    this.add('derivation_malformed', `${pointer}/years_before_now`, message);
    return undefined;
  }

  #preset(value: unknown, pointer: string): CataloguePreset | undefined {
    const preset = this.object(value, pointer, ['name', 'claim', 'consent_text']);
    const name = this.matching(preset, 'name', pointer, PRESET_NAME, 'lowercase letters, digits and `_`');
    const claim = this.string(preset, 'claim', pointer);
    const consentText = this.string(preset, 'consent_text', pointer);
    if (name === undefined || claim === undefined || consentText === undefined) return undefined;
    return { name, claim, consentText };
  }
}

/** Replaces base entries of the same name and appends new ones. Duplicates in the file are kept, so that they are reported. */
function merge<Entry>(
  base: readonly Entry[],
  changes: readonly Entry[],
  nameOf: (entry: Entry) => string,
): readonly Entry[] {
  const changed = new Set(changes.map(nameOf));
  return [...base.filter((entry) => !changed.has(nameOf(entry))), ...changes];
}

/** Encodes a catalogue as JSON that `parseCatalogue` accepts. Never throws. */
export function encodeCatalogue({ scopes, claims, presets }: Catalogue): Readonly<Record<string, unknown>> {
  return {
    scopes: scopes.map(({ displayName, implies, alsoCovers, ...scope }) => ({
      ...scope,
      display_name: displayName,
      implied_scopes: implies,
      also_covers: alsoCovers,
    })),
    claims: claims.map(encodeClaim),
    presets: presets.map(({ consentText, ...preset }) => ({ ...preset, consent_text: consentText })),
  };
}

function encodeClaim({ displayName, derived, ...claim }: CatalogueClaim): Readonly<Record<string, unknown>> {
  return {
    ...claim,
    ...omitUndefined({
      display_name: displayName,
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
