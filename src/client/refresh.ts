/** Replacing tokens before they end, or when they are refused: once, however many wait for it (RFC 6749 §6, V9). */
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

/** Keeps tokens good. */
export interface TokenRefresher {
  /** Tokens that are good for now. @throws {ClientError} `authorization_needed` when there are none. */
  current(storage: TokenStorage, options?: CallOptions): Promise<Tokens>;
  /** Tokens to go on with after these were refused. @throws {ClientError} `authorization_needed` when there are none. */
  after(refused: Tokens, storage: TokenStorage, options?: CallOptions): Promise<Tokens>;
  /** Resolves once no replacement of the stored tokens is under way. */
  settled(storage: TokenStorage): Promise<void>;
}

/** What came of a refresh token, and what the storage of whoever began goes on with. */
interface Replacement {
  /** `undefined` where the refresh token was not used: that storage had others already, or none. */
  readonly next: Tokens | undefined;
  /** `undefined` where that storage has none any more, or another person's. */
  readonly own: Tokens | undefined;
}

/** Keeps tokens good over a connection; two storages that hold the same refresh token share its replacement. */
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
    // It was another storage whose tokens were others: the refresh token in this one is good yet.
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
        // What is good for some seconds more will do for this call.
        const isTransient = error instanceof ClientError && error.code !== 'authorization_needed';
        if (isTransient && now() < expiresAt) return tokens;
        throw error;
      }
    },
    after: async (refused, storage, { signal } = {}) => {
      const { refreshToken } = refused;
      if (refreshToken !== undefined)
        return await rejectOnAbort(replace(refused, refreshToken, storage), signal);
      await withExclusiveAccess(storage, () => clearTokens(refused, storage));
      throw authorizationNeeded();
    },
    settled: async (storage) => {
      const stored = await storage.read();
      // Whether it came to something is for who began it to hear.
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
    // A refresh token is good once, so what somebody else put here meanwhile comes first.
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
 * Stores what came of a refresh token where that still stands: whoever signed in or out here meanwhile keeps what they have, and what came too
 * late is told to nobody and lapses.
 *
 * @returns What the storage goes on with; `undefined` where it is nothing of the same agreement.
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

/** What is stored, where it came of the same person's same agreement: a call that was begun as one person is not answered as another. */
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
  // Its own signal is no caller's: that it has run out is a failure of the network.
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

/** Forgets tokens that have ended, unless there are others already. */
async function clearTokens({ accessToken }: Tokens, storage: TokenStorage): Promise<void> {
  const stored = await storage.read();
  if (stored?.accessToken === accessToken) await storage.write(undefined);
}

function authorizationNeeded(cause?: ClientError): ClientError {
  const details = cause === undefined ? {} : { cause };
  return new ClientError('authorization_needed', 'The person has to be asked again.', details);
}
