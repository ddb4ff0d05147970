/** Credentials: the claims that issuers attested about a subject, their validity, and their JSON form (L9, L10). */

import { isPlainObject } from '../../util/is-plain-object.js';
import { quote, suggestion } from '../names.js';
import { joinProblems, type Problem, ProblemList, ProblemsError, pointerTo } from '../problems.js';
import { wrongType } from '../value-types.js';
import { isClaimPath } from './claim-path.js';
import { assertInstant, isInstant, parseInstant } from './instant.js';
import { canonicalCopy, isJson, type JsonValue, MAX_VALUE_DEPTH } from './json-value.js';

/** A credential of a subject. Instants are epoch milliseconds. */
export interface Credential {
  readonly id: string;
  /** Name of the issuer, as shown in evidence. */
  readonly source: string;
  readonly issuedAt: number;
  /** The first instant at which the credential is expired; absent if it does not expire. */
  readonly expiresAt?: number;
  /** The first instant at which the credential is revoked; absent if it is not revoked. */
  readonly revokedAt?: number;
  /** Claim path → value. Inherited members are ignored. */
  readonly claims: { readonly [path: string]: JsonValue };
}

/**
 * Asserts that the members of a credential have the types that parsing gives them: with an instant of another type, comparisons would be `false`, and the
 * claims undefined.
 *
 * @throws {TypeError} When a member has another type than that of {@link Credential}. Claims are not examined.
 */
export function assertCredential(credential: unknown): asserts credential is Credential {
  if (typeof credential !== 'object' || credential === null)
    throw wrongType('a credential', 'an object', credential);
  for (const [name, isRight] of MEMBERS) {
    const value = (credential as Partial<Credential>)[name];
    if (!isRight(value))
      throw wrongType(`\`${name}\` of a credential`, 'as `parseCredentials` returns it', value);
  }
}

const isString = (value: unknown): boolean => typeof value === 'string';
const isEnd = (value: unknown): boolean => value === undefined || Number.isSafeInteger(value);

/** The members of a credential, and the test of each value. */
const MEMBERS: readonly (readonly [name: keyof Credential, isRight: (value: unknown) => boolean])[] = [
  ['id', isString],
  ['source', isString],
  ['issuedAt', Number.isSafeInteger],
  ['expiresAt', isEnd],
  ['revokedAt', isEnd],
  ['claims', isPlainObject],
];
const MEMBER_NAMES: readonly string[] = MEMBERS.map(([name]) => name);

/**
 * Asserts that a credential has no unknown members, such as `expires_at` or `revoked`, which would have no effect.
 *
 * @throws {TypeError} For the first unknown member, with the nearest name.
 */
export function assertMembers(credential: Credential): void {
  const unknown = Object.keys(credential).find((name) => !MEMBER_NAMES.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`a credential has no member ${quote(unknown)}.${suggestion(unknown, MEMBER_NAMES)}`);
}

/**
 * Returns whether a credential is active at an instant: `issuedAt ≤ at < expiresAt`, and not revoked by then (L10).
 *
 * @param at - Epoch milliseconds.
 * @throws {RangeError} When `at` is not a whole number of milliseconds in the years 0000 to 9999.
 * @throws {TypeError} When the credential was not parsed or has an unknown member, or `at` is not a number.
 */
export function isActiveAt(credential: Credential, at: number): boolean {
  assertCredential(credential);
  assertMembers(credential);
  assertInstant(at, '`at`');
  return isActive(credential, at);
}

/** Does what {@link isActiveAt} does, for arguments that were checked. */
export function isActive(credential: Credential, at: number): boolean {
  return (
    credential.issuedAt <= at &&
    (credential.expiresAt === undefined || at < credential.expiresAt) &&
    (credential.revokedAt === undefined || at < credential.revokedAt)
  );
}

/** One problem of a list of credentials: the fault, and what is required. */
export type CredentialProblem = Problem<
  | 'not_an_array'
  | 'not_an_object'
  | 'not_a_string'
  | 'member_missing'
  | 'member_unknown'
  | 'instant_malformed'
  | 'claim_path_malformed'
  | 'claim_value'
  | 'claim_unknown'
  | 'id_repeated'
>;

/** Thrown when credentials are invalid; `problems` lists every fault with its pointer. */
export class CredentialError extends ProblemsError<CredentialProblem, 'invalid_credentials'> {
  override readonly name = 'CredentialError';

  constructor(problems: readonly CredentialProblem[]) {
    super('invalid_credentials', joinProblems(problems), problems);
  }
}

/**
 * Parses a list of credentials: `id`, `source`, `issuedAt`, optional `expiresAt` and `revokedAt` (RFC 3339 dates or
 * date-times), and `claims`, an object of claim paths and JSON values.
 *
 * @param json - Any value, such as the result of `JSON.parse`. Not modified.
 * @returns Credentials with instants in epoch milliseconds.
 * @throws {CredentialError} With every problem and its pointer.
 * @see L9, L10
 */
export function parseCredentials(json: unknown): readonly Credential[] {
  const reader = new CredentialReader();
  const credentials = reader.readAll(json);
  if (reader.reported.length > 0) throw new CredentialError(reader.reported);
  return credentials;
}

/** Returns a problem for each unknown member of a credential, such as `expires_at`, which would have no effect. */
function unknownMembers(credential: object, pointer: string): readonly CredentialProblem[] {
  const unknown = Object.keys(credential).filter((name) => !MEMBER_NAMES.includes(name));
  return unknown.map((name) => ({
    code: 'member_unknown',
    pointer: pointerTo(pointer, name),
    message:
      'Unknown member of a credential. Allowed members: `id`, `source`, `issuedAt`, `expiresAt`, `revokedAt` and `claims`.',
  }));
}

class CredentialReader extends ProblemList<CredentialProblem> {
  readAll(json: unknown): readonly Credential[] {
    if (!Array.isArray(json)) {
      this.add(
        'not_an_array',
        '',
        'Credentials must be an array of objects with `id`, `source`, `issuedAt` and `claims`.',
      );
      return [];
    }
    const ids = new Set<string>();
    return [...json].flatMap((value: unknown, index) => this.#read(value, pointerTo('', index), ids) ?? []);
  }

  #read(value: unknown, pointer: string, ids: Set<string>): Credential | undefined {
    if (!isPlainObject(value)) return this.add('not_an_object', pointer, 'A credential must be an object.');
    for (const problem of unknownMembers(value, pointer)) this.push(problem);
    const id = this.#readText(value, 'id', pointer);
    const source = this.#readText(value, 'source', pointer);
    const issuedAt = this.#readInstant(value, 'issuedAt', pointer, true);
    const expiresAt = this.#readInstant(value, 'expiresAt', pointer, false);
    const revokedAt = this.#readInstant(value, 'revokedAt', pointer, false);
    const claims = this.#readClaims(value['claims'], pointerTo(pointer, 'claims'));
    if (id !== undefined) {
      if (ids.has(id))
        this.add(
          'id_repeated',
          pointerTo(pointer, 'id'),
          'Duplicate `id`; the `id` of each credential must be unique.',
        );
      ids.add(id);
    }
    if (id === undefined || source === undefined || issuedAt === undefined || claims === undefined)
      return undefined;
    return {
      id,
      source,
      issuedAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(revokedAt === undefined ? {} : { revokedAt }),
      claims,
    };
  }

  #readText(object: Readonly<Record<string, unknown>>, name: string, parent: string): string | undefined {
    const text = object[name];
    if (typeof text === 'string' && text !== '') return text;
    if (text === undefined)
      return this.add(
        'member_missing',
        parent,
        `A credential must have the member \`${name}\`; it is missing.`,
      );
    return this.add(
      'not_a_string',
      pointerTo(parent, name),
      `\`${name}\` must be a string that is not empty.`,
    );
  }

  #readInstant(
    object: Readonly<Record<string, unknown>>,
    name: string,
    parent: string,
    required: boolean,
  ): number | undefined {
    const text = object[name];
    if (text === undefined) {
      return required
        ? this.add('member_missing', parent, `A credential must have the member \`${name}\`; it is missing.`)
        : undefined;
    }
    const instant = typeof text === 'string' ? parseInstant(text) : undefined;
    // An offset can move an instant out of these years; it could not be formatted in UTC.
    if (isInstant(instant)) return instant;
    const message = `\`${name}\` must be an RFC 3339 date or date-time such as \`2026-01-31T09:00:00Z\`, in the years 0000 to 9999 UTC.`;
    return this.add('instant_malformed', pointerTo(parent, name), message);
  }

  #readClaims(value: unknown, pointer: string): Credential['claims'] | undefined {
    if (!isPlainObject(value)) {
      return this.add(
        'not_an_object',
        pointer,
        '`claims` must be an object of claim paths and their values.',
      );
    }
    const claims: [string, JsonValue][] = [];
    for (const path of Object.keys(value)) {
      const place = pointerTo(pointer, path);
      if (!isClaimPath(path)) {
        this.add(
          'claim_path_malformed',
          place,
          'A claim path must be two or more names joined by dots, such as `identity.age`.',
        );
        continue;
      }
      const claim = isJson(value[path], MAX_VALUE_DEPTH) ? canonicalCopy(value[path]) : undefined;
      if (claim === undefined) {
        this.add(
          'claim_value',
          place,
          'A claim must be a JSON value with finite numbers, nested at most 16 deep.',
        );
        continue;
      }
      claims.push([path, claim]);
    }
    return Object.fromEntries(claims);
  }
}
