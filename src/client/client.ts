/** The client of an application: requests authorization, accesses data under grants, and acts on behalf of the application. */

import { type Access, createAccess, GRANT_LIST_OPTIONS, type GrantListOptions } from './access.js';
import {
  type AuthorizationOptions,
  type AuthorizationRequest,
  beginAuthorization,
  type PendingAuthorization,
  redeemCode,
} from './authorization.js';
import { CALL_OPTIONS, type CallOptions, createConnection, type ServiceRequest } from './connection.js';
import { assertOptions } from './options.js';
import { createTokenRefresher } from './refresh.js';
import {
  type Grant,
  listPath,
  type Page,
  type PresetDescriptor,
  type RevocationResult,
} from './resources.js';
import { type ClientSettings, resolveSettings } from './settings.js';
import {
  inMemoryTokens,
  type TokenStorage,
  type Tokens,
  toTokens,
  withExclusiveAccess,
  withoutNull,
} from './tokens.js';

/** Identifies a person to the application. With several of the members, all must identify the same person. */
export type PersonSelector =
  | { readonly userId: string }
  | { readonly email: string }
  | { readonly evmAddress: string }
  /** `type|value`, of type `id`, `user`, `user_id`, `email`, `evm`, `evm_addr` or `wallet`. */
  | { readonly identifier: string };

/** Options for storing tokens. */
export interface RedeemOptions extends CallOptions {
  /** Default: in memory. */
  readonly storage?: TokenStorage;
}

const REDEEM_OPTIONS: readonly (keyof RedeemOptions)[] = ['signal', 'storage'];

/**
 * The client of an application. One client can serve all people and requests. Every method except `access` throws {@link ClientError}, and a `TypeError`
 * for an unknown option.
 */
export interface Client {
  /** Starts an authorization request: returns the URL for the browser, and the state to store in its session. */
  authorize(options: AuthorizationOptions): Promise<AuthorizationRequest>;
  /**
   * Completes an authorization request: validates the response, redeems its code and stores the tokens.
   *
   * @param callback - The URL to which the browser was redirected, absolute or without the origin (Node's `request.url`), or its query parameters.
   * @param pending - The state that {@link Client.authorize} returned, from this browser's session. Delete it there, even if this fails.
   * @throws {ClientError} `callback_invalid`, `access_denied`, `invalid_grant` …
   */
  redeem(
    callback: string | URL | URLSearchParams,
    pending: PendingAuthorization,
    options?: RedeemOptions,
  ): Promise<Access>;
  /** Creates the access to a person whose tokens are stored. Sends no request; never throws. */
  access(storage: TokenStorage): Access;
  /** Lists the presets. */
  presets(options?: CallOptions): Promise<readonly PresetDescriptor[]>;
  /** Gets tokens for a person with an active grant. For confidential applications only. @throws {ClientError} `grant_not_found` */
  userToken(person: PersonSelector, options?: RedeemOptions): Promise<Access>;
  /**
   * Lists the grants to this application.
   *
   * @throws {ClientError} `cursor_invalid`
   * @throws {TypeError} Without `clientSecret`: the service accepts only a secret for this list.
   */
  grants(options?: GrantListOptions): Promise<Page<Grant>>;
  /** Revokes a grant to this application with all its tokens, by its authorization id. */
  revoke(authorizationId: string, options?: CallOptions): Promise<RevocationResult>;
}

/**
 * Creates the client of an application. Sends no request.
 *
 * @throws {TypeError} If `issuer`, `clientId` or `redirectUri` is not a string, `clientSecret` is empty or not a string, the key is not a private
 *   `CryptoKey`, or a setting is unknown.
 * @throws {RangeError} If another setting is invalid, or the issuer is not an https URL (or http on loopback).
 * @example
 * const client = createClient({ issuer: 'https://claims.example/v2', clientId: 'harbour', redirectUri: 'https://harbour.example/callback' });
 * const { url, pending } = await client.authorize({ scopes: ['kyc:read'] }); // store `pending`, redirect the browser to `url`
 */
export function createClient(settings: ClientSettings): Client {
  const connection = createConnection(resolveSettings(settings));
  const refresher = createTokenRefresher(connection);
  const access = (storage: TokenStorage) => createAccess(withoutNull(storage), connection, refresher);
  const begin = async (tokens: Tokens, storage: TokenStorage) => {
    await withExclusiveAccess(storage, async () => await storage.write(tokens));
    return access(storage);
  };
  /** Sends a request authenticated as the application. */
  const requestAsApplication = async (
    { path, body, member }: Pick<ServiceRequest, 'path' | 'member'> & { readonly body?: object },
    { signal }: CallOptions,
    authenticate = connection.authenticateWithCredential,
  ) => {
    const { headers, members } = await authenticate({ signal });
    const merged = body === undefined ? {} : { body: { ...members, ...body } };
    return await connection.request({ path, headers, member, signal, ...merged });
  };
  return {
    authorize: (options) => beginAuthorization(options, connection),
    redeem: async (callback, pending, options = {}) => {
      assertOptions(options, REDEEM_OPTIONS);
      const { storage = inMemoryTokens(), signal } = options;
      return await begin(await redeemCode(callback, pending, connection, { signal }), storage);
    },
    access,
    presets: async (options = {}) => {
      assertOptions(options, CALL_OPTIONS);
      const response = await connection.request({
        path: '/presets',
        member: 'presets',
        signal: options.signal,
      });
      return (response as { readonly presets: readonly PresetDescriptor[] }).presets;
    },
    userToken: async (person, options = {}) => {
      assertOptions(options, REDEEM_OPTIONS);
      const { storage = inMemoryTokens(), signal } = options;
      const requestedAt = connection.settings.now();
      const response = await requestAsApplication(
        { path: '/oauth/client/user-token', body: selectorOf(person), member: 'access_token' },
        { signal },
      );
      return await begin(toTokens(response, requestedAt), storage);
    },
    grants: async (options = {}) => {
      assertOptions(options, GRANT_LIST_OPTIONS);
      if (settings.clientSecret === undefined) throw new TypeError('`grants` requires a `clientSecret`');
      const path = listPath('/authorizations', options);
      return (await requestAsApplication({ path, member: 'items' }, options)) as Page<Grant>;
    },
    revoke: async (authorizationId, options = {}) => {
      assertOptions(options, CALL_OPTIONS);
      const body = { authorization_id: authorizationId };
      const request = { path: '/oauth/revoke', body, member: 'revoked' };
      const response = await requestAsApplication(request, options, connection.authenticate);
      return response as RevocationResult;
    },
  };
}

/** Returns the request members of a selector, whose members must all identify the same person. */
function selectorOf(person: {
  readonly userId?: string;
  readonly email?: string;
  readonly evmAddress?: string;
  readonly identifier?: string;
}): object {
  const { userId, email, evmAddress, identifier } = person;
  return { user_id: userId, email, evm_address: evmAddress, identifier };
}
