/** The queries about the person who gave a grant: in the query language, as presets, or as user information. */
import type { ServiceContext } from '../context.js';
import { createPresets } from '../presets/resolve-presets.js';
import type { WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import { createUserInfo } from '../user-info.js';
import { answerQuery } from './answer-query.js';
import type { QueryRequest } from './compiled-query-cache.js';

/** The queries. */
export function createQueries(context: ServiceContext) {
  return {
    ...createPresets(context),
    ...createUserInfo(context),

    /**
     * Evaluates a query; returns the result as JSON.
     *
     * @param meter - Measures the synchronous work, so that it can be charged to the caller.
     * @throws {ServiceError} `invalid_query`, `query_too_large`, or `insufficient_scope` before any credential is read.
     */
    async evaluate(request: QueryRequest, grant: Grant, meter?: WorkMeter): Promise<string> {
      return await answerQuery(request, grant, context, meter);
    },
  };
}
