/** Replacing tokens before they end, or when they are refused: once, however many wait for it (RFC 6749 §6, V9). */
import * as oauth from 'oauth4webapi';
import { ClientError, toClientError } from './client-error.js';
import { type CallOptions, type Connection, requestOptions } from './connection.js';
import { readAnswer, unlessWrong } from './read-answer.js';
import { type TokenStorage, type Tokens, toTokens } from './tokens.js';
import { timeoutOfSharedWork, untilAborted } from './until-aborted.js';

/** Keeps tokens good. */
export interface Refreshing {
  /** Tokens that are good for now. @throws {ClientError} `authorization_needed` when there are none. */
  current(storage: TokenStorage, options?: CallOptions): Promise<Tokens>;
  /** Tokens to go on with after these were refused. @throws {ClientError} `authorization_needed` when there are none. */
  after(refused: Tokens, storage: TokenStorage, options?: CallOptions): Promise<Tokens>;
  /** The tokens as they are stored once no replacement of theirs is under way. */
  settled(storage: TokenStorage): Promise<Tokens | undefined>;
}

/** Keeps tokens good over a connection; two storages that hold the same refresh token share its replacement. */
export function createRefreshing(connection: Connection): Refreshing {
  const { now, refreshAheadMs } = connection.settings;
  const underWay = new Map<string, Promise<Tokens>>();
  const replace = async (stale: Tokens, refreshToken: string, storage: TokenStorage) => {
    const begun = underWay.get(refreshToken);
    if (begun !== undefined) return await adopt(await begun, refreshToken, storage);
    const begins = replaceStored(stale, storage, connection).finally(() => underWay.delete(refreshToken));
    underWay.set(refreshToken, begins);
    return await begins;
  };
  return {
    current: async (storage, { signal } = {}) => {
      const tokens = await storage.read();
      if (tokens === undefined) throw authorizationNeeded();
      const { refreshToken, expiresAt } = tokens;
      if (refreshToken === undefined || now() < expiresAt - refreshAheadMs) return tokens;
      try {
        return await untilAborted(replace(tokens, refreshToken, storage), signal);
      } catch (error) {
        // What is good for some seconds more will do for this call.
        const isPassing = error instanceof ClientError && error.code !== 'authorization_needed';
        if (isPassing && now() < expiresAt) return tokens;
        throw error;
      }
    },
    after: async (refused, storage, { signal } = {}) => {
      const { refreshToken } = refused;
      if (refreshToken !== undefined)
        return await untilAborted(replace(refused, refreshToken, storage), signal);
      await forget(refused, storage);
      throw authorizationNeeded();
    },
    settled: async (storage) => {
      const stored = await storage.read();
      // Whether it came to something is for who began it to hear.
      await underWay.get(stored?.refreshToken ?? '')?.catch(() => undefined);
      return await storage.read();
    },
  };
}

async function replaceStored(stale: Tokens, storage: TokenStorage, connection: Connection): Promise<Tokens> {
  const work = async () => {
    // A refresh token is good once, so what somebody else put here meanwhile comes first.
    const stored = await storage.read();
    if (stored === undefined) throw authorizationNeeded();
    if (stored.refreshToken !== stale.refreshToken || stored.refreshToken === undefined) return stored;
    try {
      const next = await requestTokens(stored.refreshToken, connection);
      await storage.write(next);
      return next;
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'invalid_grant') throw error;
      await forget(stored, storage);
      throw authorizationNeeded(error);
    }
  };
  return await (storage.exclusively === undefined ? work() : storage.exclusively(work));
}

/** Where another storage had its own copy of the token that was replaced, it has the next ones now. */
async function adopt(next: Tokens, refreshToken: string, storage: TokenStorage): Promise<Tokens> {
  const stored = await storage.read();
  if (stored?.refreshToken === refreshToken) await storage.write(next);
  return next;
}

async function requestTokens(refreshToken: string, connection: Connection): Promise<Tokens> {
  const { settings } = connection;
  const { application, authentication } = settings;
  const server = await connection.metadata();
  const signal = timeoutOfSharedWork();
  const askedAt = settings.now();
  // Its own signal is no caller's: that it has run out is a failure of the network.
  const { response, body } = await readAnswer(
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
  await unlessWrong(oauth.processRefreshTokenResponse(server, application, response));
  return toTokens(body, askedAt);
}

/** Forgets tokens that have ended, unless there are others already. */
async function forget({ accessToken }: Tokens, storage: TokenStorage): Promise<void> {
  const stored = await storage.read();
  if (stored?.accessToken === accessToken) await storage.write(undefined);
}

function authorizationNeeded(cause?: ClientError): ClientError {
  const details = cause === undefined ? {} : { cause };
  return new ClientError('authorization_needed', 'The person has to be asked again.', details);
}
