/** A person's tokens, and where the application keeps them. */
import { MS_PER_SECOND } from '../util/time.js';
import { invalidResponse } from './client-error.js';
import { membersOf, requireString } from './read-response.js';

/** What came of a person's agreement. Plain JSON: who has it can ask about the person, so it is kept like a password. */
export interface Tokens {
  readonly accessToken: string;
  /** When the access token ends, epoch milliseconds. */
  readonly expiresAt: number;
  /** Good once. Absent where the application named the person itself (`userToken`). */
  readonly refreshToken?: string;
  /** What the person granted, which may be less than was asked for. */
  readonly scopes: readonly string[];
  readonly authorizationId: string;
  /** The person, as this application's organisation knows them. */
  readonly subject: string;
}

/**
 * Where one person's tokens are kept: a session on a server, a variable in a browser.
 *
 * It is read at each call, so that several processes or tabs may share one.
 */
export interface TokenStorage {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  /** `undefined` where there are none any more. Resolves when they are kept: what was there before is worth nothing then. */
  write(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * Runs work while nobody else who shares the storage does. Without it, two processes that replace a token at the same time end the
   * grant, since a refresh token is good once (V9). In browsers: `(work) => navigator.locks.request('proviso', work)`. Whatever the client
   * writes, it writes from within: who calls the client does not hold it.
   */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Keeps tokens in memory, until the process or the page ends. */
export function inMemoryTokens(initial?: Tokens): TokenStorage {
  let kept = initial;
  return {
    read: () => kept,
    write: (tokens) => {
      kept = tokens;
    },
  };
}

/** Runs work that reads and writes a storage while nobody else does, as far as the storage can tell. */
export async function withExclusiveAccess<Result>(
  storage: Pick<TokenStorage, 'exclusively'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return await (storage.exclusively === undefined ? work() : storage.exclusively(work));
}

/**
 * Reads what the token endpoint answered.
 *
 * @param requestedAt - When it was asked: the access token lives no longer than from then on.
 * @throws {ClientError} `answer_invalid` when a member is missing.
 */
export function toTokens(body: unknown, requestedAt: number): Tokens {
  const { expires_in, granted_scopes, scopes = granted_scopes, refresh_token } = membersOf(body);
  if (typeof expires_in !== 'number' || !isStringArray(scopes)) {
    throw invalidResponse('The answer does not say for how long and for what its tokens are.');
  }
  const subject = 'app_scoped_user_id' in membersOf(body) ? 'app_scoped_user_id' : 'user_id';
  return {
    accessToken: requireString(body, 'access_token'),
    expiresAt: requestedAt + expires_in * MS_PER_SECOND,
    ...(typeof refresh_token === 'string' ? { refreshToken: refresh_token } : {}),
    scopes,
    authorizationId: requireString(body, 'authorization_id'),
    subject: requireString(body, subject),
  };
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
