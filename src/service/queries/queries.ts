/** The queries about the person who gave a grant: in the query language, as presets, or as user information. */
import { type CompiledQuery, QueryError } from '../../engine/index.js';
import type { ServiceContext } from '../context.js';
import type { WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import { createUserInfo } from '../user-info.js';
import { evaluateForGrant, fromQueryError } from './evaluate-query.js';
import { createPresets } from './presets.js';

/** The queries. */
export function createQueries(context: ServiceContext) {
  return {
    ...createPresets(context),
    ...createUserInfo(context),

    /** Finds the query of a request body that is word for word one of the last; `undefined` where there is none. */
    findByText: (text: string): CompiledQuery | undefined => context.queries.findByText(text),

    /**
     * Compiles a query, once while it is among the last used.
     *
     * @param text - The body of its request, by which it can be found again.
     * @throws {ServiceError} `invalid_query`, `query_too_large`
     */
    compile(query: unknown, text: string): CompiledQuery {
      try {
        return context.queries.compile(query, text);
      } catch (error) {
        throw error instanceof QueryError ? fromQueryError(error, context.catalogue) : error;
      }
    },

    /** Records in the audit log, where there is one, why a request with a query was rejected before the query was compiled. */
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
