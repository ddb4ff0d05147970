/** Reads catalogues: of a file, whose members are in snake case, or of code, whose members are in camel case. Reports all problems at once. */
import { omitUndefined } from '../../util/omit-undefined.js';
import { isClaimPath } from '../claims/claim-path.js';
import type { JsonValue } from '../claims/json-value.js';
import { OPERATOR_NAMES } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import {
  type Catalogue,
  type CatalogueClaim,
  type CataloguePreset,
  type CatalogueScope,
  CLAIM_TYPES,
  type ClaimTexts,
  type Derivation,
  type DerivationCheck,
  EVIDENCE_LEVELS,
  type InferenceBound,
  type ScopeTexts,
  SENSITIVITIES,
} from '../scopes/catalogue.js';
import { assertArray, isPlainObject } from '../value-types.js';
import {
  type CatalogueEntry,
  CatalogueError,
  type CatalogueProblem,
  CODE_NAMES,
  FILE_NAMES,
  findCatalogueProblems,
  type MemberNames,
} from './catalogue-problems.js';
import { JsonReader } from './json-reader.js';

/** RFC 6749 `scope-token` without characters that need escaping. */
const SCOPE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
const PRESET_NAME = /^[a-z][a-z0-9_]*$/;
const CATEGORY_NAME = /^[a-z][a-z0-9_]*$/;

const FORMAT = /^(?:country|[A-Z]{3})$/;

const BOUND_MEMBERS = ['width', 'years', 'values', 'from', 'to'];

/** Upper limit of `years_before_now`. */
const MAX_YEARS = 1_000;

/**
 * Reads the JSON of a catalogue file.
 *
 * @param base - The catalogue that a file may extend.
 * @throws {CatalogueError} With every problem and its JSON Pointer.
 */
export function readCatalogueFile(json: unknown, base: Catalogue): Catalogue {
  return readCatalogue(json, new CatalogueReader(FILE_NAMES), base);
}

/**
 * Reads scopes and claims that code defines.
 *
 * @throws {CatalogueError} With every problem and its JSON Pointer.
 * @throws {TypeError} When `scopes` or `claims` is no array.
 */
export function readCatalogueInCode(catalogue: Pick<Catalogue, 'scopes' | 'claims'>): Catalogue {
  const { scopes, claims } = catalogue;
  rejectFileMembers(catalogue, '', ['extends']);
  assertArray('`scopes` of the catalogue', scopes);
  assertArray('`claims` of the catalogue', claims);
  for (const [name, list] of Object.entries({ scopes, claims }))
    for (const [index, entry] of list.entries())
      rejectFileMembers(entry, `/${name}/${index}`, Object.values(FILE_NAMES));
  return readCatalogue({ scopes, claims }, new CatalogueReader(CODE_NAMES));
}

/** @throws {CatalogueError} For members of a catalogue file, which would have no effect, or be reported as unknown one by one. */
function rejectFileMembers(value: unknown, pointer: string, members: readonly string[]): void {
  const inFile = members.find((member) => isPlainObject(value) && member in value);
  if (inFile === undefined) return;
  const message = `\`${inFile}\` is a member of catalogue files: a catalogue file must be passed to \`parseCatalogue\` first.`;
  throw new CatalogueError([{ code: 'member_unknown', pointer: `${pointer}/${inFile}`, message }]);
}

function readCatalogue(json: unknown, reader: CatalogueReader, base?: Catalogue): Catalogue {
  const catalogue = reader.read(json, base);
  const { names, pointers } = reader;
  // A malformed scope is not in the catalogue that was read: claims that name it are not at fault.
  const isScopeMissing = reader.reported.some(({ pointer }) => pointer.startsWith('/scopes/'));
  const problems = [
    ...reader.reported,
    ...findCatalogueProblems(catalogue, (entry) => pointers.get(entry) ?? BASE_POINTER, names)
      .filter(({ code }) => !(isScopeMissing && code === 'scope_unknown'))
      .map(toFilePointer),
  ];
  if (problems.length > 0) throw new CatalogueError(problems);
  return catalogue;
}

/** Marks entries of the default catalogue, which have no pointer in the file. */
const BASE_POINTER = 'default:';

/** Reports a problem of an entry of the default catalogue at the root of the file. */
function toFilePointer(problem: CatalogueProblem): CatalogueProblem {
  if (!problem.pointer.startsWith(BASE_POINTER)) return problem;
  const message = `In the default catalogue, as changed by this file: ${problem.message}`;
  return { ...problem, pointer: '', message };
}

class CatalogueReader extends JsonReader<CatalogueProblem['code']> {
  /** JSON Pointers of the parsed entries. */
  readonly pointers = new Map<CatalogueEntry, string>();
  readonly names: MemberNames;

  constructor(names: MemberNames) {
    super();
    this.names = names;
  }

  /** @param extended - The catalogue that the document may extend. */
  read(json: unknown, extended?: Catalogue): Catalogue {
    const file = this.object(json, '', ['extends', 'scopes', 'claims', 'presets']);
    const extending = file?.['extends'] !== undefined;
    if (extending) this.oneOf(file, 'extends', '', ['default']);
    const base = (extending ? extended : undefined) ?? { scopes: [], claims: [], presets: [] };
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
      this.names.displayName,
      'description',
      'example',
      'texts',
      this.names.implies,
      this.names.alsoCovers,
      this.names.maxEvidence,
    ];
    const scope = this.object(value, pointer, members);
    const name = this.matching(scope, 'name', pointer, SCOPE_NAME, 'letters, digits and `.`, `_`, `:`, `-`');
    const category = this.#category(scope, pointer);
    const sensitivity = this.oneOf(scope, 'sensitivity', pointer, SENSITIVITIES);
    const shown = this.#scopeTexts(scope, pointer);
    const texts =
      scope?.['texts'] === undefined
        ? undefined
        : this.#byLanguage(scope['texts'], `${pointer}/texts`, (entry, place) => {
            const members = [this.names.displayName, 'description', 'example'];
            return this.#scopeTexts(this.object(entry, place, members), place);
          });
    const implies = this.strings(scope, this.names.implies, pointer);
    const alsoCovers = this.strings(scope, this.names.alsoCovers, pointer);
    const maxEvidence =
      scope?.[this.names.maxEvidence] === undefined
        ? undefined
        : this.oneOf(scope, this.names.maxEvidence, pointer, EVIDENCE_LEVELS);
    if (name === undefined || category === undefined || sensitivity === undefined || shown === undefined) {
      return undefined;
    }
    return {
      name,
      category,
      sensitivity,
      ...shown,
      ...omitUndefined({ texts }),
      ...(implies.length === 0 ? {} : { implies }),
      ...(alsoCovers.length === 0 ? {} : { alsoCovers }),
      ...omitUndefined({ maxEvidence }),
    };
  }

  /** Reads the texts of a scope in one language. */
  #scopeTexts(texts: Readonly<Record<string, unknown>> | undefined, pointer: string): ScopeTexts | undefined {
    const displayName = this.string(texts, this.names.displayName, pointer);
    const description = this.string(texts, 'description', pointer);
    const example = texts?.['example'] === undefined ? undefined : this.string(texts, 'example', pointer);
    if (displayName === undefined || description === undefined) return undefined;
    return { displayName, description, ...omitUndefined({ example }) };
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
      this.names.displayName,
      'description',
      'values',
      'format',
      'reveals',
      'texts',
      this.names.inferenceBound,
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
      claim?.[this.names.displayName] === undefined
        ? undefined
        : this.string(claim, this.names.displayName, pointer);
    const description = this.string(claim, 'description', pointer);
    const values = this.strings(claim, 'values', pointer);
    if (type === 'enum' && claim?.['values'] === undefined)
      this.add('member_missing', pointer, '`values` is required for a claim of type `enum`.');
    else if (
      claim?.['values'] !== undefined &&
      (values.length === 0 || (type !== 'enum' && type !== 'array'))
    )
      this.add(
        'values_malformed',
        `${pointer}/values`,
        '`values` must be one or more strings, for a claim of type `enum` or `array`.',
      );
    const format =
      claim?.['format'] === undefined
        ? undefined
        : this.matching(claim, 'format', pointer, FORMAT, '`country`, or three capital letters (ISO 4217)');
    const reveals = this.strings(claim, 'reveals', pointer);
    const texts =
      claim?.['texts'] === undefined
        ? undefined
        : this.#byLanguage(claim['texts'], `${pointer}/texts`, (entry, place) =>
            this.#claimTexts(entry, place),
          );
    const boundMember = this.names.inferenceBound;
    const inferenceBound =
      claim?.[boundMember] === undefined
        ? undefined
        : // Its members are checked with those of the claim.
          (this.object(claim[boundMember], `${pointer}/${boundMember}`, BOUND_MEMBERS) as
            | InferenceBound
            | undefined);
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
      ...omitUndefined({ format }),
      ...(reveals.length === 0 ? {} : { reveals }),
      ...omitUndefined({ texts, inferenceBound, derived }),
    };
  }

  /** Reads texts by language. */
  #byLanguage<Texts>(
    value: unknown,
    pointer: string,
    read: (texts: unknown, pointer: string) => Texts | undefined,
  ): Readonly<Record<string, Texts>> {
    const languages = this.entries(value, pointer).flatMap(([language, texts]) => {
      const found = read(texts, pointerTo(pointer, language));
      return found === undefined ? [] : [[language, found] as const];
    });
    return Object.fromEntries(languages);
  }

  #claimTexts(texts: unknown, pointer: string): ClaimTexts {
    const read = this.object(texts, pointer, ['label', 'values']);
    const label = this.string(read, 'label', pointer) ?? '';
    const names = read?.['values'];
    if (names === undefined) return { label };
    const values = this.entries(names, `${pointer}/values`).map(([name]) => {
      const text = this.string(names as Readonly<Record<string, unknown>>, name, `${pointer}/values`);
      return [name, text ?? ''] as const;
    });
    return { label, values: Object.fromEntries(values) };
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
    const { yearsBeforeNow } = this.names;
    const check = this.object(value, pointer, ['operator', 'value', yearsBeforeNow]);
    const operator = this.oneOf(check, 'operator', pointer, OPERATOR_NAMES);
    if (check === undefined || operator === undefined) return undefined;
    const years = check[yearsBeforeNow];
    if ((years === undefined) === (check['value'] === undefined)) {
      this.add(
        'member_missing',
        pointer,
        `A check must have exactly one of \`value\` and \`${yearsBeforeNow}\`.`,
      );
      return undefined;
    }
    // Whether the operand fits the operator is checked by the query compiler.
    if (years === undefined) return { operator, value: check['value'] as JsonValue };
    if (typeof years === 'number' && Number.isInteger(years) && years >= 0 && years <= MAX_YEARS) {
      return { operator, yearsBeforeNow: years };
    }
    const message = `\`${yearsBeforeNow}\` must be an integer from 0 to ${MAX_YEARS}.`;
    this.add('derivation_malformed', `${pointer}/${yearsBeforeNow}`, message);
    return undefined;
  }

  #preset(value: unknown, pointer: string): CataloguePreset | undefined {
    const preset = this.object(value, pointer, ['name', 'claim', this.names.consentText]);
    const name = this.matching(preset, 'name', pointer, PRESET_NAME, 'lowercase letters, digits and `_`');
    const claim = this.string(preset, 'claim', pointer);
    const consentText = this.string(preset, this.names.consentText, pointer);
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
