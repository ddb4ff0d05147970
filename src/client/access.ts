/** What an application may ask about one person who agreed: queries, presets, user information, credentials, and the end of it. */
import type { Condition, ProjectionQuery } from '../builder/index.js';
import type {
  Check,
  PolicyInput,
  PredicateResult,
  Projection,
  ProjectionResult,
  QueryResult,
} from '../engine/index.js';
import { ClientError, invalidResponse, isTokenRejected } from './client-error.js';
import type { CallOptions, Connection, ServiceRequest } from './connection.js';
import { membersOf } from './read-response.js';
import type { TokenRefresher } from './refresh.js';
import {
  type Credential,
  type Grant,
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
 * One person's agreement, in use. Every method takes a signal, replaces tokens that end, and throws {@link ClientError}:
 * `authorization_needed` where the person has to be asked again. Nothing is sent twice, but for what a token's end refused.
 */
export interface Access {
  /** Asks a check or a policy, as JSON or from `proviso/builder`. `insufficient_scope`, `invalid_query`, `query_too_large` */
  evaluate(
    query: Condition | { readonly check: Check } | { readonly policy: PolicyInput },
    options?: CallOptions,
  ): Promise<PredicateResult>;
  /** Asks for claims. */
  evaluate(
    query: ProjectionQuery | { readonly projections: readonly Projection[] },
    options?: CallOptions,
  ): Promise<ProjectionResult>;
  /** Asks whatever it is. */
  evaluate(query: unknown, options?: CallOptions): Promise<QueryResult>;
  /** What one preset says. `preset_not_found`, `preset_unavailable`, `preset_expired`, `insufficient_scope` */
  preset(name: string, options?: CallOptions): Promise<PresetResult>;
  /** What several presets say, 100 at most; the errors of single ones stand beside the results. */
  presets(names: readonly string[], options?: CallOptions): Promise<PresetBatchResult>;
  /** Who the person is, as far as the scopes cover it. */
  userInfo(options?: CallOptions): Promise<UserInfo>;
  /** The person's credentials, a page at a time; needs `data.read`. From servers only: browsers may not read it. */
  credentials(options?: ListOptions): Promise<Page<Credential>>;
  /** What the person agreed to towards this application's organisation. From servers only. */
  grants(options?: GrantListOptions): Promise<Page<Grant>>;
  /** The tokens as they are stored; `undefined` where there are none. */
  tokens(): Promise<Tokens | undefined>;
  /** Gives the tokens back and forgets them: the person's agreement stays. Does nothing where there are none. */
  signOut(options?: CallOptions): Promise<void>;
  /** Ends the person's agreement with all its tokens, and forgets them. `undefined` where there are none. */
  revoke(options?: CallOptions): Promise<RevocationResult | undefined>;
}

/** Which grants, and how many of them. */
export interface GrantListOptions extends ListOptions {
  readonly status?: 'active' | 'revoked';
}

/** What a preset may be called (contract §5): anything else, such as `..`, would be another path, with the person's token. */
const PRESET_NAME = /^[a-z][a-z0-9_]*$/;

type SendRequest = (request: ServiceRequest) => Promise<unknown>;

/** Opens what a person agreed to. */
export function createAccess(
  storage: TokenStorage,
  connection: Connection,
  refresher: TokenRefresher,
): Access {
  const send = createBearerSender(storage, connection, refresher);
  const end = (cascade: boolean, options?: CallOptions) =>
    revokeStored(cascade, { storage, connection, refresher }, options);
  return {
    // What a query is answered with follows from its form, which the signatures tell apart.
    evaluate: (async (query: unknown, { signal }: CallOptions = {}) => {
      const answer = await send({ path: '/queries/evaluate', body: { query }, signal });
      if (typeof membersOf(answer)['type'] !== 'string')
        throw invalidResponse('The answer is none to a query.');
      return answer;
    }) as Access['evaluate'],
    preset: async (name, { signal } = {}) => {
      if (!PRESET_NAME.test(name)) {
        throw new ClientError(
          'preset_not_found',
          `A preset’s name is small letters, digits and \`_\`: ${name}`,
        );
      }
      return (await send({ path: `/presets/${name}`, signal })) as PresetResult;
    },
    presets: async (names, { signal } = {}) =>
      (await send({ path: '/presets/batch', body: { presets: names }, signal })) as PresetBatchResult,
    userInfo: async ({ signal } = {}) => {
      const info = (await send({ path: '/userinfo', signal })) as UserInfo;
      // OpenID Connect Core §5.3.2: it is about the person whose tokens these are.
      const tokens = await storage.read();
      if (tokens !== undefined && info.sub !== tokens.subject) {
        throw invalidResponse('The user information is about somebody else.');
      }
      return info;
    },
    credentials: async (options = {}) =>
      (await send({ path: listPath('/credentials', options), signal: options.signal })) as Page<Credential>,
    grants: async (options = {}) =>
      (await send({ path: listPath('/authorizations', options), signal: options.signal })) as Page<Grant>,
    tokens: async () => await storage.read(),
    signOut: async (options) => {
      await end(false, options);
    },
    revoke: (options) => end(true, options),
  };
}

/** Asks with the person's token; where that is refused, once more with the next. */
function createBearerSender(
  storage: TokenStorage,
  connection: Connection,
  refresher: TokenRefresher,
): SendRequest {
  const sendWith = ({ accessToken }: Tokens, request: ServiceRequest) =>
    connection.request({ ...request, headers: new Headers({ Authorization: `Bearer ${accessToken}` }) });
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
  { signal }: CallOptions = {},
): Promise<RevocationResult | undefined> {
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
      signal,
    })) as RevocationResult;
    // Who has signed in meanwhile stays so.
    if ((await storage.read())?.authorizationId === authorizationId) await storage.write(undefined);
    return result;
  });
}
