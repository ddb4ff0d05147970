/** Queries about the person of a grant: in the query language, as presets, or as user information. */
import { type EvidenceLevel, QueryError } from '../../engine/index.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import { createUserInfo } from '../user-info.js';
import { evaluateForGrant, fromQueryError } from './evaluate-query.js';
import type { EvaluationRequest } from './evidence-level.js';
import { createPresets } from './presets.js';

/** Creates the use cases of queries. */
export function createQueries(context: ServiceContext) {
  return {
    ...createPresets(context),
    ...createUserInfo(context),

    /** Finds the cached request of an identical body; `undefined` without one. */
    findByText: (text: string): EvaluationRequest | undefined => context.queries.findByText(text),

    /**
     * Compiles a query, or returns it from the cache.
     *
     * @param text - The request body, as a key for `findByText`.
     * @throws {ServiceError} `invalid_query`, `query_too_large`; `malformed_body` for projections with less than full evidence.
     */
    compile(query: unknown, text: string, evidence: EvidenceLevel = 'full'): EvaluationRequest {
      try {
        // Checked before the text is cached, since a cached request is not checked again.
        if (evidence !== 'full' && 'projections' in context.queries.compile(query).query)
          throw projectionsDiscloseValues();
        return context.queries.compileRequest(query, evidence, text);
      } catch (error) {
        throw error instanceof QueryError ? fromQueryError(error, context.catalogue) : error;
      }
    },

    /** Does nothing. With an audit log, replaced by a function that records a request that was rejected before its query was compiled. */
    async recordRejection(_error: unknown, _grant: Grant): Promise<void> {},

    /**
     * Evaluates a query; returns the result as JSON.
     *
     * @param meter - Measures the synchronous work, so that it can be charged to the caller.
     * @throws {ServiceError} `insufficient_scope`, `evidence_limited`, `inference_bound`, `query_too_large`, `temporarily_unavailable`.
     */
    async evaluate(request: EvaluationRequest, grant: Grant, meter?: WorkMeter): Promise<string> {
      return await evaluateForGrant(request, grant, context, meter);
    },
  };
}

function projectionsDiscloseValues(): ServiceError {
  const message = 'Projections return values: `evidence` must be `full` or absent.';
  return new ServiceError('malformed_body', {
    problems: [{ pointer: '/evidence', code: 'value_unknown', message }],
  });
}
