/** Evaluates a query under a grant: checks scopes, reads credentials, evaluates, in this order (L20, S166). */
import {
  type CompiledQuery,
  type CoveredQuery,
  type EvidenceLevel,
  findClaim,
  type PredicateResult,
  QueryError,
  toClaimReference,
} from '../../engine/index.js';
import { didYouMean, MAX_SUGGESTED_CODE_UNITS } from '../../engine/names.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { valuesOf } from '../claims/claim-values.js';
import type { DerivedClaims } from '../claims/derived-claims.js';
import type { OrganizationView, PairwiseIdentifiers } from '../claims/organization-view.js';
import type { SubjectClaims } from '../claims/subject-claims.js';
import { type Condition, queryOf } from '../conditions/condition.js';
import { ServiceError } from '../errors.js';
import {
  answerWithinBounds,
  type GuardedRequest,
  type GuardPorts,
  recordValues,
} from '../inference/inference-guard.js';
import type { InferenceRules } from '../inference/inference-rules.js';
import type { Clock } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { UNMETERED, type WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import type { CompiledQueryCache } from './compiled-query-cache.js';
import { type ConditionEvaluator, isAmong } from './evaluate-condition.js';
import {
  allowedEvidence,
  type EvaluationRequest,
  evidenceLimitedError,
  hiddenDates,
} from './evidence-level.js';

export interface QueryPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: ServiceCatalogue;
  readonly derivedClaims: DerivedClaims;
  readonly subjectClaims: SubjectClaims;
  readonly view: OrganizationView;
  readonly queries: CompiledQueryCache;
  readonly identifiers: PairwiseIdentifiers;
  readonly conditionEvaluator: ConditionEvaluator;
  readonly inferenceRules: InferenceRules;
}

/**
 * Evaluates a query about the person of a grant: with the allowed evidence if the scopes cover it, otherwise without evidence if it is a granted
 * condition.
 *
 * @param meter - Measures the evaluation.
 * @returns The result as JSON.
 * @throws {ServiceError} `insufficient_scope` or `evidence_limited` before any credential is read; `inference_bound`, which does not depend on the
 *   credentials; `query_too_large`; `temporarily_unavailable` after too many conflicts with concurrent answers about the person.
 */
export async function evaluateForGrant(
  { query: compiled, evidence }: EvaluationRequest,
  grant: Grant,
  ports: QueryPorts,
  meter: WorkMeter = UNMETERED,
): Promise<string> {
  const { clock, store, catalogue, subjectClaims, identifiers } = ports;
  const now = clock.now();
  try {
    const covered = assertGranted(compiled, grant, catalogue);
    const level =
      covered === undefined ? 'none' : allowedEvidence(evidence, compiled.claims, grant, catalogue);
    if (covered === undefined || level !== 'full') {
      if (covered !== undefined) assertWithoutValues(compiled, level, ports);
      const reduced = {
        query: compiled,
        level: level === 'checks' ? level : 'none',
        // The person agreed to the verdict, not to the outcomes of its checks.
        isConsented: level === 'none' && isAmong(grant.conditions, compiled),
      } as const;
      return JSON.stringify(await evaluateWithoutValues(reduced, grant, ports, { now, meter }));
    }
    const stored = await store.readCredentials(grant.userId);
    const { claims, result } = meter.measure(() => {
      const hidden = hiddenDates(compiled.claims, grant, ports);
      const claims = subjectClaims.at(stored, compiled, grant.organizationId, now, hidden);
      const credentialName = credentialNames(grant.organizationId, identifiers);
      return { claims, result: covered.evaluateToJson(claims, { now, credentialName }) };
    });
    assertResultSize(result);
    if (ports.inferenceRules.readsBoundedClaims(compiled)) {
      const values = valuesOf(compiled.claims, claims);
      await recordValues(values, { grant, now }, guardPorts(ports, meter));
    }
    return result;
  } catch (error) {
    throw error instanceof QueryError ? fromQueryError(error, catalogue, grant.conditions) : error;
  }
}

const MAX_RESULT_BYTES = 1_048_576;
const MAX_BYTES_PER_CODE_UNIT = 3;
const utf8 = new TextEncoder();

/**
 * Asserts that a result with values is within the limit, before it is recorded as disclosed: issuers determine the size of claims (S154).
 *
 * @throws {ServiceError} `query_too_large`
 */
function assertResultSize(json: string): void {
  if (json.length * MAX_BYTES_PER_CODE_UNIT <= MAX_RESULT_BYTES) return;
  if (utf8.encode(json).byteLength <= MAX_RESULT_BYTES) return;
  const message = 'The response must not exceed 1,048,576 bytes: request fewer claims at a time.';
  throw new ServiceError('query_too_large', {
    limit: MAX_RESULT_BYTES,
    problems: [{ pointer: '', code: 'limit_answer', message }],
  });
}

/**
 * Asserts that the scopes of a grant cover a query, or that it is a granted condition on claims of the catalogue. Claims that the catalogue no longer has
 * would count as absent, so that the verdict could be wrong.
 *
 * @returns `undefined` for a condition that the scopes do not cover.
 * @throws {QueryError} `insufficient_scope`
 */
function assertGranted(
  compiled: CompiledQuery,
  { grantedScopes, conditions }: Grant,
  { scopes }: ServiceCatalogue,
): CoveredQuery | undefined {
  try {
    return compiled.assertCovered(grantedScopes);
  } catch (error) {
    const isKnown = compiled.claims.every((claim) => scopes.coveringScopes(claim).length > 0);
    if (isKnown && isAmong(conditions, compiled)) return undefined;
    throw error;
  }
}

/** Evaluates a query without values, within the inference bounds of the claims that it reads. */
async function evaluateWithoutValues(
  { query, level, isConsented }: Pick<GuardedRequest, 'query' | 'level' | 'isConsented'>,
  grant: Grant,
  ports: QueryPorts,
  { now, meter }: { readonly now: number; readonly meter: WorkMeter },
): Promise<PredicateResult> {
  const { store, subjectClaims, conditionEvaluator } = ports;
  const evaluate = async () => {
    const stored = await store.readCredentials(grant.userId);
    return meter.measure(() => {
      const claims = subjectClaims.at(stored, query, grant.organizationId, now);
      const isDefined = (path: string) => findClaim(claims, toClaimReference(path)) !== undefined;
      return { result: conditionEvaluator.evaluate(query, claims, now, level), isDefined };
    });
  };
  if (!ports.inferenceRules.readsBoundedClaims(query)) return (await evaluate()).result;
  const request = { query, level, isConsented, grant, now };
  return await answerWithinBounds(request, guardPorts(ports, meter), evaluate);
}

/** Returns the ports of the inference guard. */
export function guardPorts(
  { store, inferenceRules: rules }: Pick<QueryPorts, 'store' | 'inferenceRules'>,
  meter: WorkMeter,
): GuardPorts {
  return { store, rules, measure: (work) => meter.measure(work) };
}

/**
 * Asserts that a query can be evaluated without disclosing values.
 *
 * @throws {ServiceError} `evidence_limited` for projections; `query_too_large`.
 */
function assertWithoutValues(
  compiled: CompiledQuery,
  level: EvidenceLevel,
  { conditionEvaluator }: QueryPorts,
): void {
  if ('projections' in compiled.query) throw evidenceLimitedError(compiled.claims, level);
  conditionEvaluator.assertCost(compiled);
}

/** Returns the pairwise identifiers of credentials for evidence, so that organizations cannot correlate people (D5). */
export function credentialNames(
  organizationId: string,
  identifiers: PairwiseIdentifiers,
): (credentialId: string) => string {
  return (credentialId) => identifiers.credential(organizationId, credentialId);
}

/** Converts an error of the query engine to one of the service. @param conditions - The granted conditions. */
export function fromQueryError(
  error: QueryError,
  catalogue: ServiceCatalogue,
  conditions: readonly Condition[] = [],
): ServiceError {
  switch (error.code) {
    case 'invalid_query':
    case 'query_too_large':
      return new ServiceError(error.code, {
        // A message may have a string that was cut between two surrogates, which JSON must not contain (RFC 7493).
        problems: error.problems.map((problem) => ({ ...problem, message: problem.message.toWellFormed() })),
        problem_count: error.problemCount,
      });
    case 'insufficient_scope':
      return new ServiceError('insufficient_scope', {
        missing: withNearestClaims(error.missing, catalogue),
        ...(conditions.length === 0 ? {} : { conditions: conditions.map(queryOf) }),
      });
  }
}

/** Maximum number of claims per query that get a spelling suggestion: to find one, a claim is compared with the whole catalogue. */
const MAX_SUGGESTIONS = 5;

/** Adds `did_you_mean`, the nearest claim of the catalogue, to claims that no scope covers. Depends only on the query and the public catalogue. */
function withNearestClaims(
  missing: QueryError['missing'],
  { definition }: ServiceCatalogue,
): readonly (QueryError['missing'][number] & { readonly did_you_mean?: string })[] {
  const paths = definition.claims.map(({ path }) => path);
  const unknown = new Set(missing.filter(({ scopes }) => scopes.length === 0).slice(0, MAX_SUGGESTIONS));
  return missing.map((entry) => {
    const nearest = unknown.has(entry) ? didYouMean(entry.claim, paths, MAX_SUGGESTED_CODE_UNITS) : undefined;
    return nearest === undefined ? entry : { ...entry, did_you_mean: nearest };
  });
}
