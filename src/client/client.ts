/** The client of one application: asks people, opens what they agreed to, and what it may do in its own name. */
import { type Access, createAccess, type GrantListOptions } from './access.js';
import {
  type AuthorizationOptions,
  type AuthorizationRequest,
  beginAuthorization,
  type PendingAuthorization,
  redeemCode,
} from './authorization.js';
import { type CallOptions, createConnection } from './connection.js';
import { createTokenRefresher } from './refresh.js';
import {
  type Grant,
  listPath,
  type Page,
  type PresetDescriptor,
  type RevocationResult,
} from './resources.js';
import { type ClientSettings, resolveSettings } from './settings.js';
import { inMemoryTokens, type TokenStorage, type Tokens, toTokens, withExclusiveAccess } from './tokens.js';

/** How a person whom the application knows is named. */
export type PersonSelector =
  | { readonly userId: string }
  | { readonly email: string }
  | { readonly evmAddress: string }
  /** `type|value`, of type `id`, `user`, `user_id`, `email`, `evm`, `evm_addr` or `wallet`. */
  | { readonly identifier: string };

/** Where the tokens go, and when to stop waiting. */
export interface RedeemOptions extends CallOptions {
  /** In memory where absent. */
  readonly storage?: TokenStorage;
}

/** One application's client; safe to share between people, requests and pages. Every method throws {@link ClientError}. */
export interface Client {
  /** Begins to ask a person: where to send their browser, and what to keep in its session until it comes back. */
  authorize(options: AuthorizationOptions): Promise<AuthorizationRequest>;
  /**
   * Takes the answer: makes sure that it is one to what is pending, redeems its code and stores the tokens.
   *
   * `callback_invalid`, `access_denied`, `invalid_grant` …
   *
   * @param callback - The address with which the browser came back, whole or from its path on, or its parameters.
   * @param pending - What {@link Client.authorize} gave, from this browser's session; to be forgotten there, whatever comes of it.
   */
  redeem(
    callback: string | URL | URLSearchParams,
    pending: PendingAuthorization,
    options?: RedeemOptions,
  ): Promise<Access>;
  /** Opens what a person agreed to before, whose tokens are stored. Asks nothing yet; never throws. */
  access(storage: TokenStorage): Access;
  /** The presets that there are. */
  presets(options?: CallOptions): Promise<readonly PresetDescriptor[]>;
  /** A token for a person whom the application names, under their living grant; for confidential applications. `grant_not_found` */
  userToken(person: PersonSelector, options?: RedeemOptions): Promise<Access>;
  /** What people agreed to towards this application; for applications with a secret. `cursor_invalid` */
  grants(options?: GrantListOptions): Promise<Page<Grant>>;
  /** Ends a grant of this application's with all its tokens, by its id. */
  revoke(authorizationId: string, options?: CallOptions): Promise<RevocationResult>;
}

/**
 * Makes an application's client. Asks the service nothing yet.
 *
 * @throws {RangeError} When a setting is not right.
 * @example
 * const client = createClient({ issuer: 'https://claims.example/v2', clientId: 'harbour', redirectUri: 'https://harbour.example/callback' });
 * const { url, pending } = await client.authorize({ scopes: ['kyc:read'] }); // keep `pending`, send the browser to `url`
 */
export function createClient(settings: ClientSettings): Client {
  const connection = createConnection(resolveSettings(settings));
  const refresher = createTokenRefresher(connection);
  const access = (storage: TokenStorage) => createAccess(storage, connection, refresher);
  const begin = async (tokens: Tokens, storage: TokenStorage) => {
    await withExclusiveAccess(storage, async () => await storage.write(tokens));
    return access(storage);
  };
  /** Asks in the application's own name. */
  const requestAsApplication = async (
    path: string,
    body: object | undefined,
    { signal }: CallOptions,
    authenticate = connection.authenticateWithCredential,
  ) => {
    const { headers, members } = await authenticate({ signal });
    const merged = body === undefined ? {} : { body: { ...members, ...body } };
    return await connection.request({ path, headers, signal, ...merged });
  };
  return {
    authorize: (options) => beginAuthorization(options, connection),
    redeem: async (callback, pending, { storage = inMemoryTokens(), signal } = {}) => {
      return await begin(await redeemCode(callback, pending, connection, { signal }), storage);
    },
    access,
    presets: async ({ signal } = {}) =>
      (
        (await connection.request({ path: '/presets', signal })) as {
          readonly presets: readonly PresetDescriptor[];
        }
      ).presets,
    userToken: async (person, { storage = inMemoryTokens(), signal } = {}) => {
      const requestedAt = connection.settings.now();
      const answer = await requestAsApplication('/oauth/client/user-token', selectorOf(person), { signal });
      return await begin(toTokens(answer, requestedAt), storage);
    },
    grants: async (options = {}) =>
      (await requestAsApplication(listPath('/authorizations', options), undefined, options)) as Page<Grant>,
    revoke: async (authorizationId, options = {}) =>
      (await requestAsApplication(
        '/oauth/revoke',
        { authorization_id: authorizationId },
        options,
        connection.authenticate,
      )) as RevocationResult,
  };
}

/** As the wire names them. */
function selectorOf(person: PersonSelector): object {
  if ('userId' in person) return { user_id: person.userId };
  if ('email' in person) return { email: person.email };
  if ('evmAddress' in person) return { evm_address: person.evmAddress };
  return { identifier: person.identifier };
}
