/** Parses the list of applications of a deployment from JSON. Reports all problems at once (V2, S49). */

import { FileError, JsonReader, type ShapeCode } from '../../engine/catalogue/json-reader.js';
import { EVIDENCE_LEVELS } from '../../engine/index.js';
import type { Problem } from '../../engine/problems.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { AUTHORIZATION_DETAILS_TYPES, type AuthorizationDetailsType } from '../conditions/condition.js';
import { isPublicJwk, PUBLIC_JWK_FORM } from '../keys/public-jwk.js';
import type { PublicJwk } from '../ports/verifiers.js';
import {
  type Application,
  credentialMethodsOf,
  DEFAULT_ID_TOKEN_ALGORITHM,
  ID_TOKEN_ALGORITHMS,
  logoFault,
  redirectUriFault,
  TOKEN_ENDPOINT_AUTH_METHODS,
} from './application.js';

/** A problem of a list of applications. */
export type ApplicationProblem = Problem<ShapeCode | ApplicationCode>;

type ApplicationCode =
  | 'key_malformed'
  | 'algorithm_repeated'
  | 'auth_method'
  | 'name_repeated'
  | 'redirect_uri'
  | 'uri'
  | 'scope_unknown'
  | 'type_unknown'
  | 'not_a_flag';

/** An application as configured by a deployment; the store keeps the instants of registration and revocation. */
export interface ConfiguredApplication extends Omit<Application, 'createdAt' | 'updatedAt' | 'revokedAt'> {
  readonly revoked: boolean;
}

/** Thrown for an invalid list of applications; `problems` lists every problem. */
export class ApplicationsError extends FileError<ApplicationProblem, 'invalid_applications'> {
  override readonly name = 'ApplicationsError';

  constructor(problems: readonly ApplicationProblem[]) {
    super('invalid_applications', problems);
  }
}

const MEMBERS = [
  'client_id',
  'name',
  'organization_id',
  'organization_name',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'purpose',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'authorization_details_types',
  'max_evidence',
  'secret_sha256',
  'jwks',
  'token_endpoint_auth_method',
  'id_token_signed_response_alg',
  'id_token_algorithm',
  'require_pushed_authorization_requests',
  'dpop_bound_access_tokens',
  'created_by_user_id',
  'revoked',
];
/** Not a subject, which starts with `usr_`: otherwise, the `sub` of a person could name a client (S131). */
const CLIENT_ID = /^(?!usr_)[\x21-\x7e]{1,128}$/;
/** Shown to people and in terminals, where control characters could inject output. */
const PRINTED = /^\P{Cc}+$/u;
const SHA256 = /^[0-9a-f]{64}$/i;

/**
 * Parses `applications`. Each has `client_id`, `name`, `organization_id`, `redirect_uris`, `scopes`, and `secret_sha256` (hexadecimal) or `jwks`
 * if the client is confidential. `post_logout_redirect_uris` follows the rules of `redirect_uris`. `token_endpoint_auth_method` restricts how
 * the client authenticates; with `none`, a secret authenticates only user-token requests and the list of grants. `id_token_signed_response_alg` is
 * `RS256` by default; its earlier name `id_token_algorithm` is accepted. `require_pushed_authorization_requests`, `dpop_bound_access_tokens` and
 * `revoked` are false by default. `created_by_user_id` is the id of the person who registered the application.
 * `organization_name`, `logo_uri` (a data URL), `policy_uri`, `tos_uri` and `purpose` are shown to people. `authorization_details_types` lists the
 * types of authorization details that the application may request; none by default. `max_evidence` is `full` by default.
 *
 * @param json - Parsed JSON. Not modified.
 * @param toHash - Converts a hexadecimal hash to its stored form.
 * @throws {ApplicationsError} With every problem and its JSON Pointer.
 */
export function parseApplications(
  json: unknown,
  catalogue: ServiceCatalogue,
  toHash: (hexadecimal: string) => string,
): readonly ConfiguredApplication[] {
  const reader = new ApplicationsReader(catalogue, toHash);
  const applications = reader.read(json);
  if (reader.reported.length > 0) throw new ApplicationsError(reader.reported);
  return applications;
}

class ApplicationsReader extends JsonReader<ApplicationCode> {
  readonly #catalogue: ServiceCatalogue;
  readonly #toHash: (hexadecimal: string) => string;
  readonly #clientIds = new Set<string>();

  constructor(catalogue: ServiceCatalogue, toHash: (hexadecimal: string) => string) {
    super();
    this.#catalogue = catalogue;
    this.#toHash = toHash;
  }

  read(json: unknown): readonly ConfiguredApplication[] {
    const file = this.object(json, '', ['applications']);
    return this.list(file, 'applications', '').flatMap(
      (value, index) => this.#application(value, `/applications/${index}`) ?? [],
    );
  }

  #application(value: unknown, pointer: string): ConfiguredApplication | undefined {
    const entry = this.object(value, pointer, MEMBERS);
    const clientId = this.matching(
      entry,
      'client_id',
      pointer,
      CLIENT_ID,
      'at most 128 visible ASCII characters, and must not start with `usr_`',
    );
    if (clientId !== undefined) {
      if (this.#clientIds.has(clientId))
        this.add('name_repeated', `${pointer}/client_id`, `\`${clientId}\` must not be defined twice.`);
      this.#clientIds.add(clientId);
    }
    const printed = (member: string) =>
      this.matching(entry, member, pointer, PRINTED, 'characters other than control characters');
    const name = printed('name');
    const organizationId = printed('organization_id');
    const organizationName = this.#optional(entry, 'organization_name', printed);
    const purpose = this.#optional(entry, 'purpose', printed);
    const logoUri = this.#uri(entry, 'logo_uri', pointer, logoFault);
    const policyUri = this.#uri(entry, 'policy_uri', pointer, redirectUriFault);
    const tosUri = this.#uri(entry, 'tos_uri', pointer, redirectUriFault);
    for (const member of ['redirect_uris', 'scopes'])
      if (entry !== undefined && entry[member] === undefined)
        this.add('member_missing', pointer, `\`${member}\` is required.`);
    const redirectUris = this.#redirectUris(entry, 'redirect_uris', pointer);
    const postLogoutRedirectUris = this.#optional(entry, 'post_logout_redirect_uris', (member) =>
      this.#redirectUris(entry, member, pointer),
    );
    const scopes = this.strings(entry, 'scopes', pointer);
    for (const [index, scope] of scopes.entries()) {
      if (this.#catalogue.findScope(scope) !== undefined) continue;
      this.add('scope_unknown', `${pointer}/scopes/${index}`, 'The catalogue has no scope of this name.');
    }
    const authorizationDetailsTypes = this.#optional(entry, 'authorization_details_types', (member) =>
      this.#detailsTypes(entry, member, pointer),
    );
    const maxEvidence = this.#optional(entry, 'max_evidence', (member) =>
      this.oneOf(entry, member, pointer, EVIDENCE_LEVELS),
    );
    const secret = this.#optional(entry, 'secret_sha256', (member) =>
      this.matching(entry, member, pointer, SHA256, '64 hexadecimal digits'),
    );
    const keys = this.#optional(entry, 'jwks', () => this.#keys(entry?.['jwks'], `${pointer}/jwks`));
    if (keys !== undefined && secret !== undefined) {
      this.add('key_malformed', pointer, 'An application must not have both `secret_sha256` and `jwks`.');
    }
    const method = this.#optional(entry, 'token_endpoint_auth_method', (member) =>
      this.oneOf(entry, member, pointer, TOKEN_ENDPOINT_AUTH_METHODS),
    );
    const usable = credentialMethodsOf({
      ...omitUndefined({ keys, secretHash: secret }),
    });
    // A malformed secret or key is reported already.
    const isMalformed =
      (secret === undefined && entry?.['secret_sha256'] !== undefined) ||
      (keys === undefined && entry?.['jwks'] !== undefined);
    const isUsable = method === 'none' ? keys === undefined : method === undefined || usable.includes(method);
    if (!isUsable && !isMalformed) {
      this.add(
        'auth_method',
        `${pointer}/token_endpoint_auth_method`,
        '`client_secret_basic` and `client_secret_post` need a secret, `private_key_jwt` needs `jwks`, and `none` must have no `jwks`.',
      );
    }
    const createdByUserId = this.#optional(entry, 'created_by_user_id', printed);
    const readAlgorithm = (member: string) => this.oneOf(entry, member, pointer, ID_TOKEN_ALGORITHMS);
    const signedResponseAlg = this.#optional(entry, 'id_token_signed_response_alg', readAlgorithm);
    const earlierName = this.#optional(entry, 'id_token_algorithm', readAlgorithm);
    if (signedResponseAlg !== undefined && earlierName !== undefined) {
      this.add(
        'algorithm_repeated',
        `${pointer}/id_token_algorithm`,
        '`id_token_algorithm` must not be set together with `id_token_signed_response_alg`.',
      );
    }
    const requiresPushed = this.#flag(entry, 'require_pushed_authorization_requests', pointer);
    const dpopBound = this.#flag(entry, 'dpop_bound_access_tokens', pointer);
    const revoked = this.#flag(entry, 'revoked', pointer);
    if (clientId === undefined || name === undefined || organizationId === undefined) return undefined;
    return {
      clientId,
      name,
      organizationId,
      ...omitUndefined({ organizationName, logoUri, policyUri, tosUri, purpose }),
      redirectUris,
      ...omitUndefined({ postLogoutRedirectUris }),
      scopes,
      ...omitUndefined({ authorizationDetailsTypes, maxEvidence }),
      ...(secret === undefined ? {} : { secretHash: this.#toHash(secret) }),
      ...omitUndefined({ keys, tokenEndpointAuthMethod: method }),
      ...(dpopBound ? { dpopBoundAccessTokens: true } : {}),
      ...omitUndefined({ createdByUserId }),
      idTokenAlgorithm: signedResponseAlg ?? earlierName ?? DEFAULT_ID_TOKEN_ALGORITHM,
      ...(requiresPushed ? { requirePushedAuthorizationRequests: true } : {}),
      revoked,
    };
  }

  /** Reads a URI. @param faultOf - Describes why it is invalid. */
  #uri(
    entry: Readonly<Record<string, unknown>> | undefined,
    member: string,
    pointer: string,
    faultOf: (uri: string) => string | undefined,
  ): string | undefined {
    const uri = this.#optional(entry, member, () => this.string(entry, member, pointer));
    const fault = uri === undefined ? undefined : faultOf(uri);
    if (fault !== undefined) this.add('uri', `${pointer}/${member}`, `\`${member}\` is invalid: ${fault}.`);
    return uri;
  }

  #detailsTypes(
    entry: Readonly<Record<string, unknown>> | undefined,
    member: string,
    pointer: string,
  ): readonly AuthorizationDetailsType[] {
    return this.strings(entry, member, pointer).flatMap((type, index) => {
      const known = AUTHORIZATION_DETAILS_TYPES.find((one) => one === type);
      if (known !== undefined) return [known];
      const message = `The type must be one of ${AUTHORIZATION_DETAILS_TYPES.map((one) => `\`${one}\``).join(', ')}.`;
      this.add('type_unknown', `${pointer}/${member}/${index}`, message);
      return [];
    });
  }

  #redirectUris(
    entry: Readonly<Record<string, unknown>> | undefined,
    member: string,
    pointer: string,
  ): readonly string[] {
    const uris = this.strings(entry, member, pointer);
    for (const [index, uri] of uris.entries()) {
      const fault = redirectUriFault(uri);
      if (fault === undefined) continue;
      this.add('redirect_uri', `${pointer}/${member}/${index}`, `The redirect URI is invalid: ${fault}.`);
    }
    return uris;
  }

  #keys(value: unknown, pointer: string): readonly PublicJwk[] | undefined {
    const set = this.object(value, pointer, ['keys']);
    const keys = this.list(set, 'keys', pointer);
    if (keys.length > 0 && keys.every(isPublicJwk)) return keys;
    return this.add(
      'key_malformed',
      pointer,
      `\`jwks\` must have one or more \`keys\`, each ${PUBLIC_JWK_FORM}.`,
    );
  }

  /** Reads a boolean; `false` if absent. */
  #flag(object: Readonly<Record<string, unknown>> | undefined, member: string, pointer: string): boolean {
    const value = object?.[member] ?? false;
    if (typeof value !== 'boolean') {
      this.add('not_a_flag', `${pointer}/${member}`, `\`${member}\` must be \`true\` or \`false\`.`);
    }
    return value === true;
  }

  #optional<Value>(
    object: Readonly<Record<string, unknown>> | undefined,
    member: string,
    read: (member: string) => Value | undefined,
  ): Value | undefined {
    return object?.[member] === undefined ? undefined : read(member);
  }
}
