/** A person's tokens and their storage. */
import type { PolicyItem } from '../engine/index.js';
import { MS_PER_SECOND } from '../util/time.js';
import { invalidResponse } from './client-error.js';
import { membersOf, requireString } from './read-response.js';

/** The `type` of the authorization details of a condition (RFC 9396). */
export const CONDITION_TYPE = 'claims_condition';

/** A question that the person agreed to: `evaluate` answers exactly this query. */
export interface GrantedCondition {
  /** In canonical form. */
  readonly query: PolicyItem;
  readonly purpose: string;
}

/** The tokens of a grant. Plain JSON. Keep them secret: they give access to the person's data. */
export interface Tokens {
  readonly accessToken: string;
  /** Expiry of the access token, in epoch milliseconds. */
  readonly expiresAt: number;
  /** Single use. Absent for tokens of `userToken`. */
  readonly refreshToken?: string;
  /** The granted scopes, which may be fewer than requested. */
  readonly scopes: readonly string[];
  /** The granted conditions, which may be fewer than requested; absent if none were requested. */
  readonly conditions?: readonly GrantedCondition[];
  readonly authorizationId: string;
  /** The pairwise identifier of the person for the application's organization. */
  readonly subject: string;
}

/**
 * Storage for one person's tokens, such as a session on a server or a variable in a browser.
 *
 * It is read at each call, so that several processes or tabs can share it.
 */
export interface TokenStorage {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Stores tokens; `undefined` removes them. Must not resolve before they are stored, since the previous tokens are no longer valid. */
  write(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * Runs work with exclusive access to the storage. Without it, two processes that refresh at the same time revoke the grant, since refresh
   * tokens are single-use (V9). In browsers: `async (work) => await navigator.locks.request('proviso', work)`. The client acquires it for every
   * write, so callers of the client must not hold it.
   */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Creates a storage in memory. */
export function inMemoryTokens(initial?: Tokens): TokenStorage {
  let kept = initial;
  return {
    read: () => kept,
    write: (tokens) => {
      kept = tokens;
    },
  };
}

/** Returns a storage whose `read` returns `undefined` for null, which `JSON.parse` and databases return where there are no tokens. */
export function withoutNull(storage: TokenStorage): TokenStorage {
  return {
    read: async () => (await storage.read()) ?? undefined,
    write: (tokens) => storage.write(tokens),
    exclusively: (work) => withExclusiveAccess(storage, work),
  };
}

/** Runs work with exclusive access to the storage, if it supports that. */
export async function withExclusiveAccess<Result>(
  storage: Pick<TokenStorage, 'exclusively'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return await (storage.exclusively === undefined ? work() : storage.exclusively(work));
}

/**
 * Parses a token response.
 *
 * @param requestedAt - When the request was sent, in epoch milliseconds. The lifetime of the access token starts then.
 * @throws {ClientError} `response_invalid` if a required member is missing or has another type.
 */
export function toTokens(body: unknown, requestedAt: number): Tokens {
  const { expires_in, granted_scopes, scopes = granted_scopes, refresh_token } = membersOf(body);
  if (typeof expires_in !== 'number' || !isStringArray(scopes)) {
    throw invalidResponse('The response has no valid `expires_in` or scopes.');
  }
  const subject = 'app_scoped_user_id' in membersOf(body) ? 'app_scoped_user_id' : 'user_id';
  return {
    accessToken: requireString(body, 'access_token'),
    expiresAt: requestedAt + expires_in * MS_PER_SECOND,
    ...(typeof refresh_token === 'string' ? { refreshToken: refresh_token } : {}),
    scopes,
    ...conditionsOf(body),
    authorizationId: requireString(body, 'authorization_id'),
    subject: requireString(body, subject),
  };
}

/** Returns the conditions among the authorization details. Details of other types are ignored. */
function conditionsOf(body: unknown): Pick<Tokens, 'conditions'> {
  const { authorization_details: details } = membersOf(body);
  if (!Array.isArray(details)) return {};
  const conditions = details.flatMap((detail: unknown): readonly GrantedCondition[] => {
    const { type, query, purpose } = membersOf(detail);
    if (type !== CONDITION_TYPE || typeof purpose !== 'string') return [];
    // The service returns the queries that it granted.
    return [{ query: query as PolicyItem, purpose }];
  });
  return { conditions };
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
