/** Parses the OpenID Connect providers of a deployment from JSON. Reports all problems at once (S320). */
import { FileError, JsonReader, type ShapeCode } from '../../engine/catalogue/json-reader.js';
import { type Problem, pointerTo } from '../../engine/problems.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import {
  type Assurance,
  LINK_IDENTIFIERS,
  type LinkIdentifier,
  type PersonClaims,
  type SignInProviderSettings,
} from '../ports/sign-in-provider.js';

/** How the service authenticates to a provider, and the file with the secret or key. */
export type CredentialFile =
  | { readonly method: 'none' }
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
      readonly file: string;
    };

/** A provider as configured by a deployment. */
export interface ConfiguredProvider {
  readonly settings: SignInProviderSettings;
  readonly credential: CredentialFile;
}

/** A problem of a list of providers. */
export type SignInProviderProblem = Problem<ShapeCode | ProviderCode>;

type ProviderCode =
  | 'id_repeated'
  | 'issuer_malformed'
  | 'credential_conflict'
  | 'pointer_malformed'
  | 'link_by_differs'
  | 'scope_missing'
  | 'list_empty'
  | 'not_a_boolean';

/** Thrown for an invalid list of providers; `problems` lists every problem. */
export class SignInProvidersError extends FileError<SignInProviderProblem, 'invalid_sign_in_providers'> {
  override readonly name = 'SignInProvidersError';

  constructor(problems: readonly SignInProviderProblem[]) {
    super('invalid_sign_in_providers', problems);
  }
}

const MEMBERS = [
  'id',
  'name',
  'issuer',
  'client_id',
  'client_secret_file',
  'private_key_file',
  'token_endpoint_auth_method',
  'scopes',
  'claims',
  'link_by',
  'required',
  'palm',
  'end_session',
];
const DEFAULT_SCOPES = ['openid', 'email'];
const DEFAULT_CLAIMS: PersonClaims = { name: '/sub', email: '/email', emailVerified: '/email_verified' };
const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const PRINTED = /^\P{Cc}{1,100}$/u;
const CLIENT_ID = /^[\x20-\x7e]{1,256}$/;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** RFC 6901, without the pointer to the whole document. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Parses `providers`. Each has `id`, `name`, `issuer`, `client_id` and, unless it is a public client, `client_secret_file` or
 * `private_key_file`. The other members have defaults.
 *
 * @param json - Parsed JSON. Not modified.
 * @throws {SignInProvidersError} With every problem and its JSON Pointer.
 */
export function parseSignInProviders(json: unknown): readonly ConfiguredProvider[] {
  const reader = new ProvidersReader();
  const providers = reader.read(json);
  if (reader.reported.length > 0) throw new SignInProvidersError(reader.reported);
  return providers;
}

type Entry = Readonly<Record<string, unknown>> | undefined;

class ProvidersReader extends JsonReader<ProviderCode> {
  /** Each id and issuer with the name of its member. */
  readonly #seen = new Set<string>();

  read(json: unknown): readonly ConfiguredProvider[] {
    const file = this.object(json, '', ['providers']);
    const values = this.list(file, 'providers', '');
    if (file !== undefined && values.length === 0)
      this.add('list_empty', '/providers', '`providers` must have at least one provider.');
    const providers = values.flatMap((value, index) => this.#provider(value, `/providers/${index}`) ?? []);
    // Otherwise someone could sign in first at a provider that does not link, with the name or address of another person. The account of that person
    // at a provider that links would then be linked to the impostor's.
    for (const identifier of LINK_IDENTIFIERS) {
      const linking = providers.filter(({ settings }) => settings.linkBy.includes(identifier));
      if (linking.length !== 0 && linking.length !== providers.length)
        this.add(
          'link_by_differs',
          '/providers',
          `\`link_by\` must have \`${identifier}\` for all providers or for none.`,
        );
    }
    return providers;
  }

  #provider(value: unknown, pointer: string): ConfiguredProvider | undefined {
    const entry = this.object(value, pointer, MEMBERS);
    const idForm = '1 to 32 lower-case letters, digits and `-`, with no `-` at the start or end';
    const id = this.matching(entry, 'id', pointer, ID, idForm);
    const name = this.matching(entry, 'name', pointer, PRINTED, '1 to 100 characters, no control characters');
    const issuer = this.#issuer(entry, pointer);
    const clientId = this.matching(
      entry,
      'client_id',
      pointer,
      CLIENT_ID,
      '1 to 256 printable ASCII characters',
    );
    // Two providers of one issuer would be two ways to one account.
    for (const [member, found] of Object.entries(omitUndefined({ id, issuer }))) {
      const key = `${member} ${found}`;
      if (this.#seen.has(key))
        this.add(
          'id_repeated',
          `${pointer}/${member}`,
          `\`${member}\` must differ from that of other providers.`,
        );
      this.#seen.add(key);
    }
    const credential = this.#credential(entry, pointer);
    const scopes = this.#scopes(entry, pointer);
    const claims = this.#claims(entry, pointer);
    const linkBy = this.#linkBy(entry, pointer);
    const required = this.#assurance(entry, 'required', pointer);
    const palm = this.#assurance(entry, 'palm', pointer);
    const endSession = this.#flag(entry, 'end_session', pointer);
    if (id === undefined || name === undefined || issuer === undefined || clientId === undefined)
      return undefined;
    const settings = { id, name, issuer, clientId, scopes, claims, linkBy, endSession };
    return { settings: { ...settings, ...omitUndefined({ required, palm }) }, credential };
  }

  #issuer(entry: Entry, parent: string): string | undefined {
    const issuer = this.string(entry, 'issuer', parent);
    if (issuer === undefined) return undefined;
    const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
    const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
    if (isSecure && url.username === '' && url.password === '' && !/[?#\s]/.test(issuer)) return issuer;
    const form =
      'an https URL without credentials, query, fragment and white space (http for loopback addresses only)';
    return this.add('issuer_malformed', `${parent}/issuer`, `\`issuer\` must be ${form}.`);
  }

  #credential(entry: Entry, parent: string): CredentialFile {
    const secretFile = this.#optional(entry, 'client_secret_file', parent);
    const keyFile = this.#optional(entry, 'private_key_file', parent);
    if (secretFile !== undefined && keyFile !== undefined)
      this.add(
        'credential_conflict',
        parent,
        '`client_secret_file` and `private_key_file` must not be combined.',
      );
    // A member that is not a string is already reported. It counts here, so that a method that fits it is not reported as well.
    const allowed =
      entry?.['private_key_file'] !== undefined
        ? (['private_key_jwt'] as const)
        : entry?.['client_secret_file'] !== undefined
          ? (['client_secret_basic', 'client_secret_post'] as const)
          : (['none'] as const);
    const method =
      entry?.['token_endpoint_auth_method'] === undefined
        ? allowed[0]
        : (this.oneOf(entry, 'token_endpoint_auth_method', parent, allowed) ?? allowed[0]);
    if (method === 'none') return { method };
    return { method, file: keyFile ?? secretFile ?? '' };
  }

  #optional(entry: Entry, name: string, parent: string): string | undefined {
    return entry?.[name] === undefined ? undefined : this.string(entry, name, parent);
  }

  #scopes(entry: Entry, parent: string): readonly string[] {
    if (entry?.['scopes'] === undefined) return DEFAULT_SCOPES;
    const scopes = this.strings(entry, 'scopes', parent);
    if (!scopes.includes('openid') || !scopes.every((scope) => SCOPE.test(scope)))
      this.add(
        'scope_missing',
        `${parent}/scopes`,
        '`scopes` must include `openid`; a scope must be printable ASCII without spaces, `"` and `\\`.',
      );
    return scopes;
  }

  #claims(entry: Entry, parent: string): PersonClaims {
    if (entry?.['claims'] === undefined) return DEFAULT_CLAIMS;
    const pointer = `${parent}/claims`;
    const claims = this.object(entry['claims'], pointer, ['name', 'email', 'email_verified']);
    const read = (member: string, fallback: string): string => {
      const value = this.#optional(claims, member, pointer);
      if (value === undefined || POINTER.test(value)) return value ?? fallback;
      this.add(
        'pointer_malformed',
        pointerTo(pointer, member),
        `\`${member}\` must be a JSON Pointer such as \`/preferred_username\`.`,
      );
      return fallback;
    };
    return {
      name: read('name', DEFAULT_CLAIMS.name),
      email: read('email', DEFAULT_CLAIMS.email),
      emailVerified: read('email_verified', DEFAULT_CLAIMS.emailVerified),
    };
  }

  #linkBy(entry: Entry, parent: string): readonly LinkIdentifier[] {
    return this.strings(entry, 'link_by', parent).flatMap((value, index) => {
      const found = LINK_IDENTIFIERS.find((one) => one === value);
      if (found !== undefined) return [found];
      const allowed = LINK_IDENTIFIERS.map((one) => `\`${one}\``).join(', ');
      this.add(
        'value_unknown',
        `${parent}/link_by/${index}`,
        `Each entry of \`link_by\` must be one of ${allowed}.`,
      );
      return [];
    });
  }

  #assurance(entry: Entry, name: 'required' | 'palm', parent: string): Assurance | undefined {
    if (entry?.[name] === undefined) return undefined;
    const pointer = `${parent}/${name}`;
    const value = this.object(entry[name], pointer, ['acr', 'amr']);
    const [acr, amr] = [this.strings(value, 'acr', pointer), this.strings(value, 'amr', pointer)];
    if (value !== undefined && acr.length + amr.length === 0)
      this.add('list_empty', pointer, `\`${name}\` must have at least one value in \`acr\` or \`amr\`.`);
    return { acr, amr };
  }

  #flag(entry: Entry, name: string, parent: string): boolean {
    const value = entry?.[name];
    if (value === undefined) return true;
    if (typeof value === 'boolean') return value;
    this.add('not_a_boolean', pointerTo(parent, name), `\`${name}\` must be true or false.`);
    return true;
  }
}
