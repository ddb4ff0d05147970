/** Measures the CPU time of a body of `POST /queries/evaluate`, from its text to a compiled query or to the body of the error. */

import { toErrorResponse } from '../../../src/http/errors.js';
import { parseJsonObject } from '../../../src/http/parameters/body.js';
import { validateRequest } from '../../../src/http/parameters/validate-request.js';
import { defaultScopeCatalogue, QueryError, re2js } from '../../../src/index.js';
import { createServiceCatalogue } from '../../../src/service/catalogue/service-catalogue.js';
import { createCompiledQueryCache } from '../../../src/service/queries/compiled-query-cache.js';
import { fromQueryError } from '../../../src/service/queries/evaluate-query.js';

const US_PER_MS = 1_000;
const CATALOGUE = createServiceCatalogue();
/** Total CPU time after which a request is not measured again. */
const MAX_TOTAL_MS = 2_000;

export interface MeasuredRequest {
  readonly cpuMs: number;
  /** The distinct codes of the listed problems, or the subcode of an error without problems; empty if the query is accepted. */
  readonly codes: readonly string[];
}

/** Measures one request with an empty query cache. */
function measureRequest(text: string): MeasuredRequest {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 0);
  const from = process.cpuUsage();
  let error: unknown;
  try {
    const { query, evidence = 'full' } = validateRequest('EvaluationRequest', parseJsonObject(text));
    cache.compileRequest(query, evidence, text);
  } catch (cause) {
    error = cause instanceof QueryError ? fromQueryError(cause, CATALOGUE) : cause;
    JSON.stringify(toErrorResponse(error, 'request').body);
  }
  const { user, system } = process.cpuUsage(from);
  return { cpuMs: (user + system) / US_PER_MS, codes: error === undefined ? [] : codesOf(error) };
}

/** Measures a request up to `times` times, fewer if it is slow. @returns All measurements, the fastest first. */
export function measureRepeatedly(
  text: string,
  times: number,
): readonly [MeasuredRequest, ...MeasuredRequest[]] {
  const measured: [MeasuredRequest, ...MeasuredRequest[]] = [measureRequest(text)];
  let total = measured[0].cpuMs;
  while (measured.length < times && total < MAX_TOTAL_MS) {
    const measurement = measureRequest(text);
    total += measurement.cpuMs;
    measured.push(measurement);
  }
  return measured.sort((left, right) => left.cpuMs - right.cpuMs);
}

/** Measures a request up to `times` times. @returns The median. */
export function measureMedian(text: string, times: number): MeasuredRequest {
  const measured = measureRepeatedly(text, times);
  return measured[Math.floor(measured.length / 2)] ?? measured[0];
}

function codesOf(error: unknown): readonly string[] {
  const { body } = toErrorResponse(error, 'request');
  const { problems } = body.context as { readonly problems?: readonly { readonly code: string }[] };
  return problems === undefined ? [body.error_subcode] : [...new Set(problems.map(({ code }) => code))];
}
