/** A registered application: the party that asks. */
import type { PublicJwk } from '../ports/verifiers.js';

export const ID_TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const;

/** How an ID token is signed (V10). */
export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number];

/** The algorithm for applications registered without a choice (OpenID Connect Dynamic Client Registration §2). */
export const DEFAULT_ID_TOKEN_ALGORITHM: IdTokenAlgorithm = 'RS256';

/** How a client authenticates at the token, revocation and introspection endpoints (OpenID Connect Core §9). */
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
  /** What it says that it asks for, in one sentence to the person; absent where it says nothing. */
  readonly purpose?: string;
  /** Compared as strings; a browser is sent to none but these. */
  readonly redirectUris: readonly string[];
  /** Where a browser may be sent after a sign-out, compared as strings, ports included; absent where nowhere. */
  readonly postLogoutRedirectUris?: readonly string[];
  /** What it may ask for. */
  readonly scopes: readonly string[];
  /** SHA-256 of the client secret, base64url (V7, D3); absent for a public client, which proves itself by PKCE. */
  readonly secretHash?: string;
  /** Public keys of one that authenticates by signing (RFC 7523); it then has no secret. */
  readonly keys?: readonly PublicJwk[];
  /** The only accepted method; where absent, {@link authMethodsOf} derives the methods from the keys and the secret. */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod;
  readonly idTokenAlgorithm: IdTokenAlgorithm;
  /** Whether every authorization request must be pushed first (RFC 9126 §6); not where absent. */
  readonly requirePushedAuthorizationRequests?: boolean;
  /** Whether it gets access tokens that are bound to a key of its own, and no other (RFC 9449 §5.2). */
  readonly dpopBoundAccessTokens?: boolean;
  /** Who registered it, as the operator names them; absent where the operator does not say. */
  readonly createdByUserId?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The last change, in epoch milliseconds; absent where nothing has changed since the registration. */
  readonly updatedAt?: number;
  /** Epoch milliseconds; absent while the application is in force. */
  readonly revokedAt?: number;
}

/** The methods by which an application may authenticate at the token, revocation and introspection endpoints. */
export function authMethodsOf(application: Application): readonly TokenEndpointAuthMethod[] {
  const { tokenEndpointAuthMethod: registered } = application;
  if (registered !== undefined) return [registered];
  const methods = credentialMethodsOf(application);
  return methods.length === 0 ? ['none'] : methods;
}

/** Whether an application authenticates by nothing but its id where it exchanges codes and refresh tokens. */
export function isPublicAtTokenEndpoint(application: Application): boolean {
  return authMethodsOf(application).includes('none');
}

/** The methods that the application's keys or secret allow, whatever is registered for the token endpoint. */
export function credentialMethodsOf({
  keys,
  secretHash,
}: Pick<Application, 'keys' | 'secretHash'>): readonly TokenEndpointAuthMethod[] {
  if (keys !== undefined) return ['private_key_jwt'];
  return secretHash === undefined ? [] : ['client_secret_basic', 'client_secret_post'];
}

/** Redirect URIs: compared as strings, so that no parser's reading of one can matter (S46–S49). */

/** An IP literal of this machine, which a native application listens on with a port of the moment (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;

/** Whether a request's redirect URI is a registered one; on loopback IP literals the port may differ. Never throws. */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.some((candidate) => differInPortOnly(candidate, uri));
}

/** Why a redirect URI cannot be registered; `undefined` where it can. Never throws (S49). */
export function redirectUriFault(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri))
    return 'it must not contain blanks, control characters or non-ASCII characters';
  if (uri.includes('#')) return 'it must not have a fragment';
  if (uri.includes('*')) return 'it must not contain a wildcard';
  const authority = /^(https?):\/\/([^/?]*)/.exec(uri);
  if (authority === null) return 'it must be an absolute https URL, or an http URL on a loopback address';
  const [, scheme, host = ''] = authority;
  if (host === '' || host.includes('@')) return 'it must name a host, and must not contain credentials';
  const loopback = LOOPBACK.test(uri) || /^localhost(?::\d{1,5})?$/.test(host);
  return scheme === 'http' && !loopback ? 'plain http is allowed on loopback addresses only' : undefined;
}

function differInPortOnly(registered: string, uri: string): boolean {
  return LOOPBACK.test(registered) && LOOPBACK.test(uri) && withoutPort(registered) === withoutPort(uri);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, (origin) => origin.replace(/:\d{1,5}$/, ''));
}
