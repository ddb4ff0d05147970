/** The service's use cases as one object, over its ports (V1–V12). */
import type { QueryResult, RegexEngine } from '../engine/index.js';
import type { Environment } from './environment.js';
import type { Clock } from './ports/clock.js';
import type { Digest } from './ports/digest.js';
import type { Random } from './ports/random.js';
import type { Store } from './ports/store.js';
import { createCompiledQueryCache } from './queries/compiled-query-cache.js';
import { evaluateQuery } from './queries/evaluate-query.js';
import { sandboxApplications } from './sandbox/applications.js';
import { grantSandboxToken } from './sandbox/grant-token.js';
import { sandboxPeople } from './sandbox/people.js';
import { createPairwiseIdentifiers } from './subjects/pairwise-identifiers.js';
import { authenticateBearer, type Grant } from './tokens/authenticate-bearer.js';
import { createOpaqueToken } from './tokens/opaque-token.js';

/** What the service reaches the outside world through. */
export interface ServicePorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly regex: RegexEngine;
}

export interface Service {
  readonly environment: Environment;

  /** The grant of an access token. @throws {ServiceError} `token_invalid`, `token_expired` */
  authenticate(token: string): Promise<Grant>;

  /** Answers a query about the person who gave a grant. @throws {ServiceError} `invalid_query`, `query_too_large`, `insufficient_scope` */
  evaluateQuery(query: unknown, grant: Grant): Promise<QueryResult>;

  /** A token for one of the sandbox's people. @throws {SandboxError} When there is no such person or scope. */
  grantSandboxToken(userName: string, scopes: readonly string[]): Promise<string>;
}

const CACHED_QUERIES = 500;
const PAIRWISE_KEY = 'pairwise-key';

/**
 * Builds the service on its ports: keeps its keys in the store and, in the sandbox, fills an empty store with made-up people.
 *
 * @throws {StoreUnavailable} When the store cannot be reached.
 */
export async function createService(ports: ServicePorts, environment: Environment): Promise<Service> {
  const { store, digest, random, clock, regex } = ports;
  const key = await store.keepSecret(PAIRWISE_KEY, createOpaqueToken(random, digest).token);
  if (environment.seeded) {
    const now = clock.now();
    await store.seedOnce({ applications: sandboxApplications(digest, now), people: sandboxPeople(now) });
  }
  const queryPorts = {
    store,
    clock,
    queries: createCompiledQueryCache(regex, CACHED_QUERIES),
    identifiers: createPairwiseIdentifiers(digest, key),
  };
  return {
    environment,
    authenticate: (token) => authenticateBearer(token, ports),
    evaluateQuery: (query, grant) => evaluateQuery(query, grant, queryPorts),
    grantSandboxToken: (userName, scopes) => grantSandboxToken(userName, scopes, ports),
  };
}
