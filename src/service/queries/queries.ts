/** Queries about the person of a grant: in the query language, as presets, or as user information. */
import { type CompiledQuery, QueryError } from '../../engine/index.js';
import type { ServiceContext } from '../context.js';
import type { WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import { createUserInfo } from '../user-info.js';
import { evaluateForGrant, fromQueryError } from './evaluate-query.js';
import { createPresets } from './presets.js';

/** Creates the use cases of queries. */
export function createQueries(context: ServiceContext) {
  return {
    ...createPresets(context),
    ...createUserInfo(context),

    /** Finds the cached query of an identical request body; `undefined` without one. */
    findByText: (text: string): CompiledQuery | undefined => context.queries.findByText(text),

    /**
     * Compiles a query, or returns it from the cache.
     *
     * @param text - The request body, as a key for `findByText`.
     * @throws {ServiceError} `invalid_query`, `query_too_large`
     */
    compile(query: unknown, text: string): CompiledQuery {
      try {
        return context.queries.compile(query, text);
      } catch (error) {
        throw error instanceof QueryError ? fromQueryError(error, context.catalogue) : error;
      }
    },

    /** Records a request that was rejected before its query was compiled, if there is an audit log. */
    async recordRejection(_error: unknown, _grant: Grant): Promise<void> {},

    /**
     * Evaluates a query; returns the result as JSON.
     *
     * @param meter - Measures the synchronous work, so that it can be charged to the caller.
     * @throws {ServiceError} `insufficient_scope` before any credential is read; `query_too_large`.
     */
    async evaluate(query: CompiledQuery, grant: Grant, meter?: WorkMeter): Promise<string> {
      return await evaluateForGrant(query, grant, context, meter);
    },
  };
}
