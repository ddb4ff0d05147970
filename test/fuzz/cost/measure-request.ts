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
/** Longer, and one measurement says it. */
const ENOUGH_MS = 2_000;

export interface MeasuredRequest {
  readonly cpuMs: number;
  /** The codes of the first problems, or nothing for a query that is accepted. */
  readonly codes: readonly string[];
}

/** Measures one request with a cache that holds nothing, as a sender of ever new queries meets it. */
function measureRequest(text: string): MeasuredRequest {
  const cache = createCompiledQueryCache(re2js, defaultScopeCatalogue, 1);
  const from = process.cpuUsage();
  let error: unknown;
  try {
    cache.compile(validateRequest('EvaluationRequest', parseJsonObject(text)).query, text);
  } catch (thrown) {
    error = thrown instanceof QueryError ? fromQueryError(thrown, CATALOGUE) : thrown;
    JSON.stringify(toErrorResponse(error, 'request').body);
  }
  const { user, system } = process.cpuUsage(from);
  return { cpuMs: (user + system) / US_PER_MS, codes: error === undefined ? [] : codesOf(error) };
}

/** Measures a request several times, or fewer where it takes long. @returns All, the cheapest first. */
export function measureOften(text: string, times: number): readonly [MeasuredRequest, ...MeasuredRequest[]] {
  const measured: [MeasuredRequest, ...MeasuredRequest[]] = [measureRequest(text)];
  let total = measured[0].cpuMs;
  while (measured.length < times && total < ENOUGH_MS) {
    const again = measureRequest(text);
    total += again.cpuMs;
    measured.push(again);
  }
  return measured.sort((left, right) => left.cpuMs - right.cpuMs);
}

/** Measures a request several times. @returns The median. */
export function measureMedian(text: string, times: number): MeasuredRequest {
  const measured = measureOften(text, times);
  return measured[Math.floor(measured.length / 2)] ?? measured[0];
}

function codesOf(error: unknown): readonly string[] {
  const { body } = toErrorResponse(error, 'request');
  const { problems } = body.context as { readonly problems?: readonly { readonly code: string }[] };
  return problems === undefined ? [body.error_subcode] : [...new Set(problems.map(({ code }) => code))];
}
