/** Registered applications (OAuth clients). */
import type { EvidenceLevel } from '../../engine/index.js';
import type { AuthorizationDetailsType } from '../conditions/condition.js';
import type { PublicJwk } from '../ports/verifiers.js';

export const ID_TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const;

/** How an ID token is signed (V10). */
export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number];

/** The default algorithm (OpenID Connect Dynamic Client Registration §2). */
export const DEFAULT_ID_TOKEN_ALGORITHM: IdTokenAlgorithm = 'RS256';

/** How a client authenticates at the token, revocation, introspection and pushed authorization request endpoints (OpenID Connect Core §9). */
export type TokenEndpointAuthMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

export const TOKEN_ENDPOINT_AUTH_METHODS: readonly TokenEndpointAuthMethod[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
];

export interface Application {
  readonly clientId: string;
  readonly name: string;
  readonly organizationId: string;
  /** The name of the organization, shown to the person. Default: the id. */
  readonly organizationName?: string;
  /** An image as a data URL, so that showing it sends no request to anyone. */
  readonly logoUri?: string;
  /** The address of the privacy policy. */
  readonly policyUri?: string;
  /** The address of the terms of use. */
  readonly tosUri?: string;
  /** Why the application requests access, in one sentence shown to the person. */
  readonly purpose?: string;
  /** Compared as strings; browsers are redirected only to these. On loopback IP literals, the port may differ. */
  readonly redirectUris: readonly string[];
  /** Redirect URIs after a sign-out, compared as strings including ports; absent if there are none. */
  readonly postLogoutRedirectUris?: readonly string[];
  /** Scopes that the application may request. */
  readonly scopes: readonly string[];
  /** The types of authorization details that the application may request (RFC 9396 §10). Default: none. */
  readonly authorizationDetailsTypes?: readonly AuthorizationDetailsType[];
  /** The most evidence that results for the application contain. Default: `full`. */
  readonly maxEvidence?: EvidenceLevel;
  /** SHA-256 of the client secret, base64url (V7, D3); absent for a client with `keys`, and for a public client, which uses PKCE alone. */
  readonly secretHash?: string;
  /** Public keys of a client that authenticates by `private_key_jwt` (RFC 7523); such a client has no secret. */
  readonly keys?: readonly PublicJwk[];
  /**
   * The only method that the endpoints of {@link TokenEndpointAuthMethod} accept. Default: the methods that {@link authMethodsOf} derives from the keys
   * and the secret.
   */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod;
  readonly idTokenAlgorithm: IdTokenAlgorithm;
  /** Whether every authorization request must be pushed first (RFC 9126 §6). Default: false. */
  readonly requirePushedAuthorizationRequests?: boolean;
  /** Whether its access tokens must be bound to a key of the client (RFC 9449 §5.2). */
  readonly dpopBoundAccessTokens?: boolean;
  /** Who registered it, as named by the operator; absent if unknown. */
  readonly createdByUserId?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The last change, in epoch milliseconds; absent before the first change. */
  readonly updatedAt?: number;
  /** Epoch milliseconds; absent while the application is active. */
  readonly revokedAt?: number;
}

/** Returns the methods by which an application may authenticate at the endpoints of {@link TokenEndpointAuthMethod}. */
export function authMethodsOf(application: Application): readonly TokenEndpointAuthMethod[] {
  const { tokenEndpointAuthMethod: registered } = application;
  if (registered !== undefined) return [registered];
  const methods = credentialMethodsOf(application);
  return methods.length === 0 ? ['none'] : methods;
}

/** Whether an application is a public client at the token endpoint. */
export function isPublicAtTokenEndpoint(application: Application): boolean {
  return authMethodsOf(application).includes('none');
}

/** Returns the methods that the application's keys or secret allow, independent of the method registered for the token endpoint. */
export function credentialMethodsOf({
  keys,
  secretHash,
}: Pick<Application, 'keys' | 'secretHash'>): readonly TokenEndpointAuthMethod[] {
  if (keys !== undefined) return ['private_key_jwt'];
  return secretHash === undefined ? [] : ['client_secret_basic', 'client_secret_post'];
}

// Redirect URIs are compared as strings, except for the port on loopback IP literals, so that differences between URL parsers cannot matter
// (S46–S49).

/** A loopback IP literal, on which native applications listen with an ephemeral port (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;

const HOST = /^(?:[\w.~-]+|\[[\dA-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Whether a request's redirect URI is registered; on loopback IP literals the port may differ. Never throws. */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.some((candidate) => differInPortOnly(candidate, uri));
}

/** Describes why a redirect URI cannot be registered; `undefined` for a valid one. Never throws (S49). */
export function redirectUriFault(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri))
    return 'it must not contain blanks, control characters or non-ASCII characters';
  if (uri.includes('#')) return 'it must not have a fragment';
  if (uri.includes('*')) return 'it must not contain a wildcard';
  const authority = /^(https?):\/\/([^/?]*)/.exec(uri);
  if (authority === null) return 'it must be an absolute https URL, or an http URL on a loopback address';
  const [, scheme, host = ''] = authority;
  if (host === '' || host.includes('@')) return 'it must name a host, and must not contain credentials';
  // The content security policy of a page contains the host: a semicolon in it would start another directive.
  if (!HOST.test(host) || !URL.canParse(uri))
    return 'it must name a host by a domain name or an IP address, optionally with a port';
  const loopback = LOOPBACK.test(uri) || /^localhost(?::\d{1,5})?$/.test(host);
  return scheme === 'http' && !loopback ? 'plain http is allowed on loopback addresses only' : undefined;
}

function differInPortOnly(registered: string, uri: string): boolean {
  return LOOPBACK.test(registered) && LOOPBACK.test(uri) && withoutPort(registered) === withoutPort(uri);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, (origin) => origin.replace(/:\d{1,5}$/, ''));
}

/** Maximum length of a logo as a data URL, which is stored with the application and embedded in pages. */
const MAX_LOGO = 8_192;
const LOGO = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Describes why a logo cannot be registered; `undefined` for a valid one. Never throws. */
export function logoFault(uri: string): string | undefined {
  if (uri.length > MAX_LOGO) return `it must have at most ${MAX_LOGO} characters`;
  return LOGO.test(uri) ? undefined : 'it must be a data URL of a PNG, JPEG, WebP or SVG image, in Base64';
}
