/** Reads the entries of catalogues: of a file, whose members are in snake case, or of code, whose members are in camel case. */
import { omitUndefined } from '../../util/omit-undefined.js';
import { isClaimPath } from '../claims/claim-path.js';
import type { JsonValue } from '../claims/json-value.js';
import { quote, suggestion } from '../names.js';
import { OPERATOR_NAMES } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import {
  type CatalogueClaim,
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
import {
  type CatalogueEntry,
  CatalogueError,
  type CatalogueProblem,
  type MemberNames,
  type ScopesAndClaims,
} from './catalogue-problems.js';
import { type JsonObject, JsonReader } from './json-reader.js';

/** RFC 6749 `scope-token` without characters that need escaping. */
const SCOPE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
const LOWERCASE_NAME = /^[a-z][a-z0-9_]*$/;

const FORMAT = /^(?:country|[A-Z]{3})$/;

const BOUND_MEMBERS = ['width', 'years', 'values', 'from', 'to'];

/** Upper limit of `years_before_now`. */
const MAX_YEARS = 1_000;

/** Reads the entries of a catalogue, and collects their problems. */
export class CatalogueReader extends JsonReader<CatalogueProblem['code']> {
  /** JSON Pointers of the entries that were read. */
  readonly pointers = new Map<CatalogueEntry, string>();
  readonly #names: MemberNames;
  /** Lists with an entry that could not be read. */
  readonly #incomplete = new Set<string>();

  constructor(names: MemberNames) {
    super();
    this.#names = names;
  }

  scopesAndClaims(catalogue: JsonObject | undefined): ScopesAndClaims {
    return {
      scopes: this.entriesOf(catalogue, 'scopes', (value, pointer) => this.#scope(value, pointer)),
      claims: this.entriesOf(catalogue, 'claims', (value, pointer) => this.#claim(value, pointer)),
    };
  }

  /** Reads the entries of a list, and omits those that lack a required member. */
  entriesOf<Entry extends CatalogueEntry>(
    catalogue: JsonObject | undefined,
    name: string,
    read: (value: unknown, pointer: string) => Entry | undefined,
  ): readonly Entry[] {
    return this.list(catalogue, name, '').flatMap((value, index) => {
      const pointer = `/${name}/${index}`;
      const entry = read(value, pointer);
      if (entry === undefined) this.#incomplete.add(name);
      else this.pointers.set(entry, pointer);
      return entry ?? [];
    });
  }

  /** Reads a required name of lowercase letters, digits and `_`. */
  lowercaseName(object: JsonObject | undefined, name: string, parent: string): string | undefined {
    return this.matching(object, name, parent, LOWERCASE_NAME, 'lowercase letters, digits and `_`');
  }

  /**
   * @param found - The problems that involve several entries.
   * @throws {CatalogueError} With these problems, and those of the entries.
   */
  assertValid(found: readonly CatalogueProblem[]): void {
    // Where an entry of a list could not be read, references to it are valid, and are not reported.
    const isShown = ({ code }: CatalogueProblem) =>
      !code.endsWith('_unknown') || !this.#incomplete.has(code.includes('scope_') ? 'scopes' : 'claims');
    const problems = [...this.reported, ...found.filter(isShown)];
    if (problems.length > 0) throw new CatalogueError(problems);
  }

  #scope(value: unknown, pointer: string): CatalogueScope | undefined {
    const members = [
      'name',
      'category',
      'sensitivity',
      this.#names.displayName,
      'description',
      'example',
      'texts',
      this.#names.implies,
      this.#names.alsoCovers,
      this.#names.maxEvidence,
    ];
    const scope = this.object(value, pointer, members);
    const name = this.matching(scope, 'name', pointer, SCOPE_NAME, 'letters, digits and `.`, `_`, `:`, `-`');
    const category = this.lowercaseName(scope, 'category', pointer);
    const sensitivity = this.oneOf(scope, 'sensitivity', pointer, SENSITIVITIES);
    const shown = this.#scopeTexts(scope, pointer);
    const texts = this.optional(scope, 'texts', pointer, (value, place) =>
      this.#byLanguage(value, place, (entry, place) => {
        const members = [this.#names.displayName, 'description', 'example'];
        return this.#scopeTexts(this.object(entry, place, members), place);
      }),
    );
    const implies = this.strings(scope, this.#names.implies, pointer);
    const alsoCovers = this.strings(scope, this.#names.alsoCovers, pointer);
    const maxEvidence = this.optional(scope, this.#names.maxEvidence, pointer, () =>
      this.oneOf(scope, this.#names.maxEvidence, pointer, EVIDENCE_LEVELS),
    );
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
  #scopeTexts(texts: JsonObject | undefined, pointer: string): ScopeTexts | undefined {
    const displayName = this.string(texts, this.#names.displayName, pointer);
    const description = this.string(texts, 'description', pointer);
    const example = this.optional(texts, 'example', pointer, () => this.string(texts, 'example', pointer));
    if (displayName === undefined || description === undefined) return undefined;
    return { displayName, description, ...omitUndefined({ example }) };
  }

  #claim(value: unknown, pointer: string): CatalogueClaim | undefined {
    const members = [
      'path',
      'type',
      'scope',
      'sensitivity',
      this.#names.displayName,
      'description',
      'values',
      'format',
      'reveals',
      'texts',
      this.#names.inferenceBound,
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
    const displayName = this.optional(claim, this.#names.displayName, pointer, () =>
      this.string(claim, this.#names.displayName, pointer),
    );
    const description = this.string(claim, 'description', pointer);
    const values = this.strings(claim, 'values', pointer);
    if (type === 'enum' && claim?.['values'] === undefined)
      this.add('member_missing', pointer, '`values` is required for a claim of type `enum`.');
    else if (
      claim?.['values'] !== undefined &&
      (values.length === 0 || new Set(values).size < values.length || (type !== 'enum' && type !== 'array'))
    )
      this.add(
        'values_malformed',
        `${pointer}/values`,
        '`values` must be one or more different strings, for a claim of type `enum` or `array`.',
      );
    const format = this.optional(claim, 'format', pointer, () =>
      this.matching(claim, 'format', pointer, FORMAT, '`country`, or three capital letters (ISO 4217)', 'be'),
    );
    const reveals = this.strings(claim, 'reveals', pointer);
    const texts = this.optional(claim, 'texts', pointer, (value, place) =>
      this.#byLanguage(value, place, (entry, place) => this.#claimTexts(entry, place, values)),
    );
    const inferenceBound = this.optional(
      claim,
      this.#names.inferenceBound,
      pointer,
      // Its members are checked with those of the claim.
      (value, place) => this.object(value, place, BOUND_MEMBERS) as InferenceBound | undefined,
    );
    const derived = this.optional(claim, 'derived', pointer, (value, place) =>
      this.#derivation(value, place),
    );
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

  /** @param listed - The permitted values of the claim; empty if all values are permitted. */
  #claimTexts(texts: unknown, pointer: string, listed: readonly string[]): ClaimTexts {
    const read = this.object(texts, pointer, ['label', 'values']);
    const label = this.string(read, 'label', pointer) ?? '';
    const names = read?.['values'];
    if (names === undefined) return { label };
    const place = `${pointer}/values`;
    const values = this.entries(names, place).map(([name]) => {
      if (listed.length > 0 && !listed.includes(name)) {
        const message = `The claim has no value ${quote(name)}.${suggestion(name, listed)}`;
        this.add('value_unknown', pointerTo(place, name), message);
      }
      const text = this.string(names as JsonObject, name, place);
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
    const { yearsBeforeNow } = this.#names;
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
    // `findCatalogueProblems` checks whether the operand fits the operator.
    if (years === undefined) return { operator, value: check['value'] as JsonValue };
    if (typeof years === 'number' && Number.isInteger(years) && years >= 0 && years <= MAX_YEARS) {
      return { operator, yearsBeforeNow: years };
    }
    const message = `\`${yearsBeforeNow}\` must be an integer from 0 to ${MAX_YEARS}.`;
    this.add('derivation_malformed', `${pointer}/${yearsBeforeNow}`, message);
    return undefined;
  }
}
