/** Metrics of the store: duration and failures of its operations, and the tokens and grants that they created and ended. */
import type { Registry } from 'prom-client';
import type { Store, StoreObserver, StoreOperation } from '../service/index.js';
import { MS_PER_SECOND } from '../util/time.js';
import { createCounter, createGauge, createHistogram } from './metrics.js';

/** The result of an operation of the store. */
type ResultOf<Operation extends StoreOperation> = Awaited<ReturnType<Store[Operation]>>;

/** Counts the tokens and grants that an operation created or ended. */
type Counting = { readonly [Operation in StoreOperation]?: (result: ResultOf<Operation>) => void };

const NO_READ_CACHE = { hits: 0, misses: 0, evictions: 0, bytes: 0 };

/** @param stopwatch - Monotonic clock, in milliseconds. */
export function createStoreMetrics(registry: Registry, stopwatch: () => number): StoreObserver {
  const durations = createHistogram(registry, 'proviso_store_operation_seconds');
  const failures = createCounter(registry, 'proviso_store_failures_total');
  // The table has a function for the result of each operation that it counts.
  const counting = createCounting(registry) as Readonly<
    Record<string, ((result: unknown) => void) | undefined>
  >;
  let readCache = () => NO_READ_CACHE;
  createCounter(registry, 'proviso_read_cache_hits_total', () => readCache().hits);
  createCounter(registry, 'proviso_read_cache_misses_total', () => readCache().misses);
  createCounter(registry, 'proviso_read_cache_evictions_total', () => readCache().evictions);
  createGauge(registry, 'proviso_read_cache_bytes', () => readCache().bytes);
  return {
    observe: async (operation, run) => {
      const startedAt = stopwatch();
      try {
        const result = await run();
        counting[operation]?.(result);
        return result;
      } catch (error) {
        failures.inc({ operation });
        throw error;
      } finally {
        durations.observe({ operation }, (stopwatch() - startedAt) / MS_PER_SECOND);
      }
    },
    watchReadCache: (read) => {
      readCache = read;
    },
  };
}

function createCounting(registry: Registry): Counting {
  const issued = createCounter(registry, 'proviso_tokens_issued_total');
  const revoked = createCounter(registry, 'proviso_tokens_revoked_total');
  const created = createCounter(registry, 'proviso_grants_created_total');
  const ended = createCounter(registry, 'proviso_grants_ended_total');
  const restored = createCounter(registry, 'proviso_grants_restored_total');
  return {
    approveAuthorization: (outcome) => {
      if (outcome?.done === true) created.inc();
    },
    recordDirectGrant: () => {
      created.inc();
      issued.inc({ grant_type: 'sandbox' });
    },
    redeemCode: (redeemed) => {
      // Tokens without scopes and conditions are revoked at once and not returned.
      const { scopes = [], conditions = [] } = redeemed ?? {};
      if (scopes.length + conditions.length > 0) issued.inc({ grant_type: 'authorization_code' });
    },
    rotateRefreshToken: (isRotated) => {
      if (isRotated) issued.inc({ grant_type: 'refresh_token' });
    },
    recordAccessToken: (isRecorded) => {
      if (isRecorded) issued.inc({ grant_type: 'client_user_token' });
    },
    revokeTokens: ({ tokens, authorizations }) => {
      for (const token of tokens) if (token !== undefined) revoked.inc({ token_type: token.tokenType });
      ended.inc({ cause: 'revoked' }, authorizations.length);
    },
    revokeAuthorization: (outcome) => {
      if (outcome?.done === true) ended.inc({ cause: 'scopes_withdrawn' });
    },
    withdrawGrants: (count) => ended.inc({ cause: 'withdrawn' }, count),
    restoreGrants: (count) => restored.inc(count),
  };
}
