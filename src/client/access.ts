/** Access to one person's data under a grant: queries, presets, user information, credentials, and revocation. */
import type { Condition, ProjectionQuery } from '../builder/index.js';
import type {
  Check,
  EvidenceLevel,
  PolicyInput,
  PredicateResult,
  Projection,
  ProjectionResult,
  QueryResult,
} from '../engine/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { ClientError, invalidResponse, isTokenRejected } from './client-error.js';
import {
  CALL_OPTIONS,
  type CallOptions,
  type Connection,
  rejectOnAbort,
  type ServiceRequest,
} from './connection.js';
import { assertOptions } from './options.js';
import type { TokenRefresher } from './refresh.js';
import {
  type Credential,
  type Grant,
  LIST_OPTIONS,
  type ListOptions,
  listPath,
  type Page,
  type PresetBatchResult,
  type PresetResult,
  type RevocationResult,
  type UserInfo,
} from './resources.js';
import { type TokenStorage, type Tokens, withExclusiveAccess } from './tokens.js';

/**
 * Access to one person's data. Every method except `tokens` accepts an abort signal. Methods that send an access token refresh it first if it expires
 * soon. Methods throw a {@link ClientError} (`authorization_needed` if the person must authorize again), and a `TypeError` for an unknown option or a
 * query that is not JSON. Requests are not retried, except once after an access token was rejected.
 */
export interface Access {
  /**
   * Evaluates a check or a policy, as JSON or from `proviso/builder`.
   *
   * @throws {ClientError} `insufficient_scope`, `invalid_query`, `query_too_large`, `evidence_limited`, `inference_bound`
   */
  evaluate(
    query: Condition | { readonly check: Check } | { readonly policy: PolicyInput },
    options?: EvidenceOptions,
  ): Promise<PredicateResult>;
  /** Evaluates projections. */
  evaluate(
    query: ProjectionQuery | { readonly projections: readonly Projection[] },
    options?: CallOptions,
  ): Promise<ProjectionResult>;
  /** Evaluates a query of any kind. */
  evaluate(query: unknown, options?: EvidenceOptions): Promise<QueryResult>;
  /**
   * Resolves a preset.
   *
   * @throws {ClientError} `preset_not_found`, `preset_unavailable`, `preset_expired`, `insufficient_scope`, `evidence_limited`
   */
  preset(name: string, options?: CallOptions): Promise<PresetResult>;
  /** Resolves up to 100 presets; returns results and errors per preset. */
  presets(names: readonly string[], options?: EvidenceOptions): Promise<PresetBatchResult>;
  /** Returns the user information that the scopes cover. */
  userInfo(options?: CallOptions): Promise<UserInfo>;
  /** Lists the person's credentials, page by page. Requires the scope `data.read`. For servers only: CORS does not allow it in browsers. */
  credentials(options?: ListOptions): Promise<Page<Credential>>;
  /** Lists the person's grants to the application. For servers only. */
  grants(options?: GrantListOptions): Promise<Page<Grant>>;
  /** Returns the stored tokens; `undefined` if there are none. */
  tokens(): Promise<Tokens | undefined>;
  /** Revokes and removes the tokens; the grant stays. Does nothing without tokens. */
  signOut(options?: CallOptions): Promise<void>;
  /** Revokes the grant with all its tokens, and removes them. Returns `undefined` without tokens. */
  revoke(options?: CallOptions): Promise<RevocationResult | undefined>;
}

/** Options of a call whose result has evidence. */
export interface EvidenceOptions extends CallOptions {
  /**
   * The requested evidence: `full` (default), `checks` for the outcomes of checks without values, or `none` for the verdict only. The result never
   * has more than the registration of the application and the scopes allow.
   */
  readonly evidence?: EvidenceLevel;
}

const EVIDENCE_OPTIONS: readonly (keyof EvidenceOptions)[] = [...CALL_OPTIONS, 'evidence'];

/** Options of a list of grants. */
export interface GrantListOptions extends ListOptions {
  readonly status?: 'active' | 'revoked';
}

export const GRANT_LIST_OPTIONS: readonly (keyof GrantListOptions)[] = [...LIST_OPTIONS, 'status'];

/** Valid preset names. Any other name, such as `..`, could change the path of a request with the person's token. */
const PRESET_NAME = /^[a-z][a-z0-9_]*$/;

/** Sends a request with the person's token. Returns the response, and the tokens with which it was sent. */
type SendRequest = (
  request: ServiceRequest,
) => Promise<{ readonly response: unknown; readonly tokens: Tokens }>;

/** Creates the access to one person's data. */
export function createAccess(
  storage: TokenStorage,
  connection: Connection,
  refresher: TokenRefresher,
): Access {
  const sendWithTokens = createBearerSender(storage, connection, refresher);
  const send = async (request: ServiceRequest) => (await sendWithTokens(request)).response;
  // Also aborts while it waits for a refresh or for exclusive access.
  const end = (cascade: boolean, options?: CallOptions) =>
    rejectOnAbort(revokeStored(cascade, { storage, connection, refresher }, options), options?.signal);
  return {
    // The overloads determine the type of the result from the kind of the query.
    evaluate: (async (query: unknown, options: EvidenceOptions = {}) => {
      assertOptions(options, EVIDENCE_OPTIONS);
      const { signal, evidence } = options;
      const body = { query, ...omitUndefined({ evidence }) };
      return await send({ path: '/queries/evaluate', body, member: 'type', signal });
    }) as Access['evaluate'],
    preset: async (name, options = {}) => {
      assertOptions(options, CALL_OPTIONS);
      if (!PRESET_NAME.test(name)) {
        throw new ClientError(
          'preset_not_found',
          `A preset name must be a lowercase letter, followed by lowercase letters, digits or \`_\` (got \`${name}\`).`,
        );
      }
      return (await send({
        path: `/presets/${name}`,
        member: 'preset',
        signal: options.signal,
      })) as PresetResult;
    },
    presets: async (names, options = {}) => {
      assertOptions(options, EVIDENCE_OPTIONS);
      const { signal, evidence } = options;
      const body = { presets: names, ...omitUndefined({ evidence }) };
      return (await send({ path: '/presets/batch', body, member: 'results', signal })) as PresetBatchResult;
    },
    userInfo: async (options = {}) => {
      assertOptions(options, CALL_OPTIONS);
      const { response, tokens } = await sendWithTokens({
        path: '/userinfo',
        member: 'sub',
        signal: options.signal,
      });
      const info = response as UserInfo;
      // OpenID Connect Core §5.3.2: `sub` must match the subject of the tokens.
      if (info.sub !== tokens.subject) {
        throw invalidResponse('The `sub` of the user information does not match the subject of the tokens.');
      }
      return info;
    },
    credentials: async (options = {}) => {
      assertOptions(options, LIST_OPTIONS);
      const path = listPath('/credentials', options);
      return (await send({ path, member: 'items', signal: options.signal })) as Page<Credential>;
    },
    grants: async (options = {}) => {
      assertOptions(options, GRANT_LIST_OPTIONS);
      const path = listPath('/authorizations', options);
      return (await send({ path, member: 'items', signal: options.signal })) as Page<Grant>;
    },
    tokens: async () => await storage.read(),
    signOut: async (options) => {
      await end(false, options);
    },
    revoke: (options) => end(true, options),
  };
}

/** Creates a function that sends requests with the person's token, and retries once with a new token if it was rejected. */
function createBearerSender(
  storage: TokenStorage,
  connection: Connection,
  refresher: TokenRefresher,
): SendRequest {
  const sendWith = async (tokens: Tokens, request: ServiceRequest) => {
    const headers = new Headers({ Authorization: `Bearer ${tokens.accessToken}` });
    return { response: await connection.request({ ...request, headers }), tokens };
  };
  return async (request) => {
    const tokens = await refresher.current(storage, request);
    try {
      return await sendWith(tokens, request);
    } catch (error) {
      if (!isTokenRejected(error)) throw error;
      return await sendWith(await refresher.after(tokens, storage, request), request);
    }
  };
}

async function revokeStored(
  cascade: boolean,
  {
    storage,
    connection,
    refresher,
  }: { storage: TokenStorage; connection: Connection; refresher: TokenRefresher },
  options: CallOptions = {},
): Promise<RevocationResult | undefined> {
  assertOptions(options, CALL_OPTIONS);
  const { signal } = options;
  await refresher.settled(storage);
  return await withExclusiveAccess(storage, async () => {
    const tokens = await storage.read();
    if (tokens === undefined) return undefined;
    const { accessToken, refreshToken, authorizationId } = tokens;
    const { headers, members } = await connection.authenticate({ signal });
    const ended = [accessToken, refreshToken].filter((token) => token !== undefined);
    const result = (await connection.request({
      path: '/oauth/revoke',
      headers,
      body: { ...members, tokens: ended, cascade },
      member: 'revoked',
      signal,
    })) as RevocationResult;
    // Keeps the tokens of another authorization that were stored in the meantime.
    if ((await storage.read())?.authorizationId === authorizationId) await storage.write(undefined);
    return result;
  });
}
