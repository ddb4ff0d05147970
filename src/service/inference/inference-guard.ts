/** Answers queries within inference bounds. Records each answer that adds information, per person and organization, before it is returned (S350–S353). */
import type { JsonValue } from '../../engine/index.js';
import { ServiceError } from '../errors.js';
import type { InferenceStore } from '../ports/store/inference-store.js';
import type { Grant } from '../tokens/tokens.js';
import type { Answer, BoundedRequest, EvaluatedAnswer, InferenceRules } from './inference-rules.js';

/** A request under a grant. */
export interface GuardedRequest extends BoundedRequest {
  readonly grant: Pick<Grant, 'userId' | 'organizationId'>;
  /** Whether the person agreed to exactly this answer, which is then recorded but never refused. */
  readonly isConsented: boolean;
}

/** Ports of the guard. */
export interface GuardPorts {
  readonly store: InferenceStore;
  readonly rules: InferenceRules;
  /** Measures synchronous work. */
  readonly measure: <Result>(work: () => Result) => Result;
}

/** An attempt fails only if another request about the same person was answered to the same organization meanwhile. */
const MAX_ATTEMPTS = 100;

/**
 * Evaluates a query that reads bounded claims, and records its answer. Of concurrent requests of one organization about one person, each is
 * decided after the answers that were recorded before.
 *
 * @param evaluate - Reads the claims and evaluates the query.
 * @throws {ServiceError} `inference_bound`, which does not depend on the claims; `temporarily_unavailable`.
 */
export async function answerWithinBounds<Result extends Answer>(
  { grant, isConsented, ...request }: GuardedRequest,
  { store, rules, measure }: GuardPorts,
  evaluate: () => Promise<EvaluatedAnswer<Result>>,
): Promise<Result> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const found = await store.findInference(grant);
    const { refused, record } = measure(() => rules.consider(request, found?.answers));
    if (refused.length > 0 && !isConsented) throw inferenceBoundError(refused);
    const { result, isDefined } = await evaluate();
    const answers = record(result, isDefined);
    if (answers === undefined || (await store.replaceInference(grant, found?.version, answers)))
      return result;
  }
  throw new ServiceError('temporarily_unavailable');
}

/** A disclosed value is recorded as this answer to the check `claim == value`. */
const PASSED: EvaluatedAnswer<Answer> = {
  result: { passed: true, evidence: { claimsUsed: [], checkResults: [] } },
  isDefined: () => true,
};

/**
 * Records the values of bounded claims that a result with full evidence or a preset discloses, before they are returned. They are never refused, but count
 * for later answers: a scope may cover a derived claim, such as the age, and not its parent, which remains bounded.
 *
 * @param values - By path; values of other claims are ignored.
 * @throws {ServiceError} `temporarily_unavailable`
 */
export async function recordValues(
  values: ReadonlyMap<string, JsonValue>,
  { grant, now }: Pick<GuardedRequest, 'grant' | 'now'>,
  ports: GuardPorts,
): Promise<void> {
  for (const [path, value] of values) {
    const query = ports.rules.questionOfValue(path, value);
    if (query === undefined) continue;
    const request = { query, level: 'none', isConsented: true, grant, now } as const;
    await answerWithinBounds(request, ports, async () => PASSED);
  }
}

/** Creates the error for claims that an answer could narrow too far. */
export function inferenceBoundError(claims: readonly string[]): ServiceError {
  return new ServiceError('inference_bound', { claims });
}
