/** Refreshes tokens before they expire or when they are rejected; concurrent calls share one refresh (RFC 6749 §6, V9). */
import * as oauth from 'oauth4webapi';
import { ClientError, toClientError } from './client-error.js';
import {
  type CallOptions,
  type Connection,
  rejectOnAbort,
  requestOptions,
  sharedTimeoutSignal,
} from './connection.js';
import { readResponse, rejectAsInvalid } from './read-response.js';
import { type TokenStorage, type Tokens, toTokens, withExclusiveAccess } from './tokens.js';

/** Refreshes tokens. */
export interface TokenRefresher {
  /**
   * Returns the stored tokens. Refreshes them first if they are about to expire and have a refresh token. Tokens without a refresh token are returned
   * even if they have expired.
   *
   * @throws {ClientError} `authorization_needed` if there are none.
   */
  current(storage: TokenStorage, options?: CallOptions): Promise<Tokens>;
  /** Returns tokens that replace rejected ones. @throws {ClientError} `authorization_needed` if there are none. */
  after(rejected: Tokens, storage: TokenStorage, options?: CallOptions): Promise<Tokens>;
  /** Resolves when no refresh of the stored tokens is in flight. */
  settled(storage: TokenStorage): Promise<void>;
}

/** The outcome of a refresh. */
interface Replacement {
  /** The new tokens; `undefined` if the storage had other tokens or none, so that the refresh token was not used. */
  readonly next: Tokens | undefined;
  /** The tokens in the storage whose call started the refresh; `undefined` if it has no tokens, or tokens of another authorization. */
  readonly own: Tokens | undefined;
}

/** Creates a refresher. Two storages with the same refresh token share one refresh. */
export function createTokenRefresher(connection: Connection): TokenRefresher {
  const { now, refreshAheadMs } = connection.settings;
  const inFlight = new Map<string, Promise<Replacement>>();
  const replace = async (stale: Tokens, refreshToken: string, storage: TokenStorage): Promise<Tokens> => {
    const running = inFlight.get(refreshToken);
    if (running === undefined) {
      const started = replaceStored(refreshToken, stale, storage, connection).finally(() =>
        inFlight.delete(refreshToken),
      );
      inFlight.set(refreshToken, started);
      return requireTokens((await started).own);
    }
    const { next } = await running;
    const stored = await storage.read();
    if (stored?.refreshToken !== refreshToken) return requireTokens(successorOf(stale, stored));
    // The other storage had other tokens, so the refresh token of this one is still unused.
    if (next === undefined) return await replace(stale, refreshToken, storage);
    return requireTokens(await withExclusiveAccess(storage, () => storeSuccessor(next, stale, storage)));
  };
  return {
    current: async (storage, { signal } = {}) => {
      const tokens = await storage.read();
      if (tokens === undefined) throw authorizationNeeded();
      const { refreshToken, expiresAt } = tokens;
      if (refreshToken === undefined || now() < expiresAt - refreshAheadMs) return tokens;
      try {
        return await rejectOnAbort(replace(tokens, refreshToken, storage), signal);
      } catch (error) {
        // The refresh failed, but did not remove the tokens: this call uses the current access token if it has not expired.
        const tokensRemain = error instanceof ClientError && error.code !== 'authorization_needed';
        if (tokensRemain && now() < expiresAt) return tokens;
        throw error;
      }
    },
    after: async (rejected, storage, { signal } = {}) => {
      const { refreshToken } = rejected;
      if (refreshToken !== undefined)
        return await rejectOnAbort(replace(rejected, refreshToken, storage), signal);
      const own = withExclusiveAccess(storage, async () => {
        // Another call may have stored new tokens of the same authorization in the meantime.
        await clearTokens(rejected, storage);
        return successorOf(rejected, await storage.read());
      });
      return requireTokens(await rejectOnAbort(own, signal));
    },
    settled: async (storage) => {
      const stored = await storage.read();
      // Errors are reported to the call that started the refresh.
      await inFlight.get(stored?.refreshToken ?? '')?.catch(() => undefined);
    },
  };
}

async function replaceStored(
  refreshToken: string,
  stale: Tokens,
  storage: TokenStorage,
  connection: Connection,
): Promise<Replacement> {
  return await withExclusiveAccess(storage, async () => {
    // Refresh tokens are single-use: prefer tokens that were stored in the meantime.
    const stored = await storage.read();
    if (stored?.refreshToken !== refreshToken) return { next: undefined, own: successorOf(stale, stored) };
    try {
      const next = await requestTokens(refreshToken, connection);
      return { next, own: await storeSuccessor(next, stale, storage) };
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'invalid_grant') throw error;
      await clearTokens(stored, storage);
      throw authorizationNeeded(error);
    }
  });
}

/**
 * Stores new tokens if the refresh token is still the stored one. After a sign-in or sign-out in the meantime, the new tokens are discarded.
 *
 * @returns The stored tokens; `undefined` if they do not belong to the same authorization.
 */
async function storeSuccessor(
  next: Tokens,
  stale: Tokens,
  storage: TokenStorage,
): Promise<Tokens | undefined> {
  const stored = await storage.read();
  if (stored?.refreshToken !== stale.refreshToken) return successorOf(stale, stored);
  await storage.write(next);
  return next;
}

/** Returns the stored tokens if they belong to the same person and authorization, so that a call never continues as another person. */
function successorOf(stale: Tokens, stored: Tokens | undefined): Tokens | undefined {
  const isSame = stored?.authorizationId === stale.authorizationId && stored.subject === stale.subject;
  return isSame ? stored : undefined;
}

function requireTokens(tokens: Tokens | undefined): Tokens {
  if (tokens === undefined) throw authorizationNeeded();
  return tokens;
}

async function requestTokens(refreshToken: string, connection: Connection): Promise<Tokens> {
  const { settings } = connection;
  const { application, authentication } = settings;
  const server = await connection.metadata();
  const signal = sharedTimeoutSignal();
  const requestedAt = settings.now();
  // The timeout is not a caller's signal: report it as a network failure.
  const { response, body } = await readResponse(
    () =>
      oauth.refreshTokenGrantRequest(
        server,
        application,
        authentication,
        refreshToken,
        requestOptions(settings, signal),
      ),
    undefined,
  );
  if (!response.ok) throw toClientError(response, body);
  await rejectAsInvalid(oauth.processRefreshTokenResponse(server, application, response));
  return toTokens(body, requestedAt);
}

/** Removes rejected tokens, unless others were stored in the meantime. */
async function clearTokens({ accessToken }: Tokens, storage: TokenStorage): Promise<void> {
  const stored = await storage.read();
  if (stored?.accessToken === accessToken) await storage.write(undefined);
}

function authorizationNeeded(cause?: ClientError): ClientError {
  const details = cause === undefined ? {} : { cause };
  return new ClientError(
    'authorization_needed',
    'There are no valid tokens: the person must authorize again.',
    details,
  );
}
