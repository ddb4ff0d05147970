/** The names of claims and of their values in one language: from the catalogue, and from the messages. */
import type { Catalogue, CatalogueClaim, ClaimTexts, JsonPrimitive } from '../engine/index.js';
import { assertArray, assertObject, wrongType } from '../engine/value-types.js';
import { displayNames } from './intl-formatters.js';
import { type Language, own, textsIn } from './language.js';
import { formatMessage } from './message-formatter.js';
import type { ClaimMessages, PhraseName } from './messages.js';
import { isolateCode } from './quote.js';

/** The claims of a catalogue. */
export type Claims = Catalogue['claims'];

/** Members of a claim in a catalogue file whose names differ in code. */
const FILE_MEMBERS = ['display_name', 'inference_bound'];

/**
 * Returns the claims of the option `catalogue`.
 *
 * @throws {TypeError} For anything but a catalogue, including the parsed JSON of a catalogue file, whose members have other names.
 */
export function claimsOf(catalogue: Pick<Catalogue, 'claims'>): Claims {
  assertObject('`catalogue`', catalogue);
  assertArray('`claims` of the catalogue', catalogue.claims);
  for (const claim of catalogue.claims as readonly unknown[]) {
    assertObject('each of `claims` of the catalogue', claim);
    const { path } = claim as Partial<CatalogueClaim>;
    if (typeof path !== 'string') throw wrongType('`path` of each claim of the catalogue', 'a string', path);
    const inFile = FILE_MEMBERS.find((member) => member in claim);
    if (inFile !== undefined)
      throw new TypeError(
        `\`${inFile}\` is a member of catalogue files: a catalogue file must be passed to \`parseCatalogue\` first`,
      );
  }
  return catalogue.claims;
}

/** Names claims. With `paths`, adds the path to a name that several claims share. */
export class ClaimNames {
  readonly #claims: ReadonlyMap<string, CatalogueClaim>;
  readonly #language: Language;
  /** Names that more than one claim has. */
  readonly #shared = new Set<string>();

  /** @param paths - The claims to name; their names are distinct from each other's, and from those of the catalogue. */
  constructor(claims: Claims, language: Language, paths: readonly string[] = []) {
    this.#claims = new Map(claims.map((claim) => [claim.path, claim]));
    this.#language = language;
    if (paths.length > 0) this.#findShared(new Set([...this.#claims.keys(), ...paths]));
  }

  /** Returns the claim in the catalogue. */
  find(path: string): CatalogueClaim | undefined {
    return this.#claims.get(path);
  }

  /** Returns the claim of the catalogue with the longest path above a path: the object that contains a claim which the catalogue does not list. */
  findParent(path: string): CatalogueClaim | undefined {
    for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
      const parent = this.#claims.get(path.slice(0, end));
      if (parent !== undefined) return parent;
    }
    return undefined;
  }

  /** Returns the name of a claim with its possessive: `your nationality`. */
  label(path: string): string {
    const name = this.#name(path);
    if (!this.#shared.has(name)) return name;
    return this.#format('labels.shared', { label: name, path: this.#quotePath(path) });
  }

  /** Returns the name of a value of the claim, if the value has a name. */
  valueName(claim: CatalogueClaim, value: JsonPrimitive): string | undefined {
    const { locale } = this.#language;
    const name =
      own(this.#texts(claim)?.values, String(value)) ?? own(this.#messages(claim.path).values, String(value));
    if (name !== undefined || claim.format !== 'country' || typeof value !== 'string') return name;
    return countryName(value, locale);
  }

  /** Returns the names of all values of the claim, except those of countries. */
  valueNames(claim: CatalogueClaim | undefined): readonly string[] {
    const messages = claim && this.#messages(claim.path);
    return [this.#texts(claim)?.values, messages?.values].flatMap((names) => Object.values(names ?? {}));
  }

  /** Returns the claim's own phrase, if it has one. */
  phrase(path: string, phrase: PhraseName): string | undefined {
    return own(this.#messages(path).phrases, phrase);
  }

  #name(path: string): string {
    const claim = this.#claims.get(path);
    const label = this.#texts(claim)?.label ?? this.#messages(path).label;
    if (label !== undefined) return label;
    const parent = claim === undefined ? this.findParent(path) : undefined;
    if (parent !== undefined) {
      const member = this.#quotePath(path.slice(parent.path.length + 1));
      return this.#format('labels.member', { member, parent: this.#name(parent.path) });
    }
    if (claim?.displayName !== undefined) return this.#format('labels.named', { name: claim.displayName });
    // The last segment of a boolean claim is often no noun: `banned`.
    const message = claim?.type === 'boolean' ? 'labels.flag' : 'labels.named';
    return this.#format(message, { name: lastSegment(path) });
  }

  #findShared(paths: Iterable<string>): void {
    const found = new Set<string>();
    for (const path of paths) {
      const name = this.#name(path);
      if (found.has(name)) this.#shared.add(name);
      found.add(name);
    }
  }

  /** Returns the catalogue's texts for the locale, or else for the language of the locale. */
  #texts(claim: CatalogueClaim | undefined): ClaimTexts | undefined {
    return textsIn(this.#language, claim?.texts);
  }

  #messages(path: string): ClaimMessages {
    return own(this.#language.messages.claims, path) ?? {};
  }

  #quotePath(path: string): string {
    return isolateCode(this.#format('values.text', { text: path }), this.#language.direction);
  }

  #format(
    name: 'labels.named' | 'labels.flag' | 'labels.member' | 'labels.shared' | 'values.text',
    values: Readonly<Record<string, string>>,
  ): string {
    const { messages, locale } = this.#language;
    const { labels } = messages;
    const message = {
      'labels.named': labels.named,
      'labels.flag': labels.flag,
      'labels.member': labels.member,
      'labels.shared': labels.shared,
      'values.text': messages.values.text,
    }[name];
    return formatMessage(name, message, locale, values);
  }
}

/** Returns the last segment of a path as words: `date of birth` for `identity.date_of_birth`. */
function lastSegment(path: string): string {
  return path
    .slice(path.lastIndexOf('.') + 1)
    .replaceAll('_', ' ')
    .trim();
}

/** Returns the name of a region; `undefined` for former codes, and for codes that `Intl` does not know. */
function countryName(code: string, locale: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  // Former codes are replaced by current ones: two codes would have one name.
  if (new Intl.Locale(`und-${code}`).region !== code) return undefined;
  return displayNames.get(locale, { type: 'region', fallback: 'none' }).of(code);
}
