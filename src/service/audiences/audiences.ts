/** Audiences of applications: people who satisfy a policy, among those whose grant to the application covers every claim of the policy (V14, L20). */

import { type CompiledQuery, type Credential, QueryError } from '../../engine/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { inferenceBoundError } from '../inference/inference-guard.js';
import { fromQueryError } from '../queries/evaluate-query.js';
import { allowedEvidence } from '../queries/evidence-level.js';
import { effectiveScopes, isCoveredBy } from '../scopes/scopes.js';
import { AudienceError, assertNoProjections, readClaimSets } from './audience.js';

export interface AudienceRequest {
  readonly clientId: string;
  /** Raw JSON. */
  readonly query: unknown;
}

/** An audience, evaluated slice by slice. */
export interface EvaluatedAudience {
  /** The instant of evaluation for every person; epoch milliseconds. */
  readonly evaluatedAt: number;
  readonly slices: AsyncIterable<AudienceSlice>;
}

/** The result for one slice of people, which may be empty. */
export interface AudienceSlice {
  /** Number of people evaluated: those whose grant covers every claim of the policy. */
  readonly evaluated: number;
  /** Pairwise identifiers of the people who satisfy the policy (V5). */
  readonly subjects: readonly string[];
}

/** Bounds the time for which requests wait on SQLite, and the work that is lost when the consumer stops reading. */
const PEOPLE_PER_SLICE = 20;

/** Creates the audience use cases. */
export function createAudiences(context: ServiceContext) {
  return {
    /**
     * Evaluates a policy for everyone whose active grant to an application covers the policy, slice by slice. Slices are read on demand: the
     * consumer should let other work run between them. All people are evaluated at the same instant; grants that end during the evaluation are
     * skipped.
     *
     * @throws {ServiceError} Before the first slice: `invalid_query`, `query_too_large`, `inference_bound`, or `not_found` for an unknown or revoked
     *   application.
     */
    async evaluate({ clientId, query }: AudienceRequest): Promise<EvaluatedAudience> {
      const application = await context.store.findApplication(clientId);
      if (application === undefined || application.revokedAt !== undefined)
        throw new ServiceError('not_found');
      const at = context.clock.now();
      try {
        const compiled = context.queries.compile(query);
        assertNoProjections(compiled);
        assertUnbounded(compiled, application, context);
        const { conditionEvaluator, store, derivedClaims, view } = context;
        conditionEvaluator.assertCost(compiled);
        // As in queries of the application: a claim that identifies a person globally must not link the subjects of two organizations.
        const toVisible = (stored: readonly Credential[]) =>
          view.pseudonymize(stored, application.organizationId, at);
        // The engine alone: for a slice, the statement with which the store narrows people down takes several times as long.
        const satisfying = async (userIds: readonly string[]) => {
          const claimSets = await readClaimSets(userIds, compiled.claims, at, {
            store,
            derivedClaims,
            toVisible,
          });
          // The cost of the patterns is limited for the query, not for each person: a long claim must not cut off the list.
          const satisfied = claimSets.filter(
            ([, claims]) => conditionEvaluator.evaluate(compiled, claims, at, 'none').passed,
          );
          return satisfied.map(([userId]) => context.identifiers.subject(application.organizationId, userId));
        };
        return { evaluatedAt: at, slices: slicesOf(compiled, application, context, satisfying) };
      } catch (error) {
        if (error instanceof QueryError) throw fromQueryError(error, context.catalogue);
        if (!(error instanceof AudienceError)) throw error;
        const problem = { code: 'projections', pointer: '/projections', message: error.message };
        throw new ServiceError('invalid_query', { problems: [problem], problem_count: 1 });
      }
    },
  };
}

/**
 * Asserts that a policy reads no claim with an inference bound: an audience discloses its verdict on many people, and these answers are not recorded,
 * so they would not count toward the bound.
 *
 * @throws {ServiceError} `inference_bound`, unless the application may read the claims themselves.
 */
function assertUnbounded(
  compiled: CompiledQuery,
  { maxEvidence = 'full' }: Application,
  { inferenceRules, catalogue }: ServiceContext,
): void {
  if (!inferenceRules.readsBoundedClaims(compiled)) return;
  const limits = { grantedScopes: catalogue.scopes.scopes, maxEvidence };
  if (allowedEvidence('full', compiled.claims, limits, catalogue) !== 'full')
    throw inferenceBoundError(compiled.claims);
}

async function* slicesOf(
  { claims }: CompiledQuery,
  application: Application,
  { store, clock, catalogue, environment, identifiers }: ServiceContext,
  satisfying: (userIds: readonly string[]) => Promise<readonly string[]>,
): AsyncIterable<AudienceSlice> {
  const { clientId } = application;
  const sector = identifiers.sector(application.organizationId);
  const isCovered = (granted: readonly string[]) =>
    // A single grant must cover every claim (L20): the person did not agree to combining two grants.
    claims.every(isCoveredBy(effectiveScopes(granted, application, environment), catalogue.scopes));
  // Grants are read for each slice, since a grant can end while the consumer does not read.
  for (let after: string | undefined; ; ) {
    const holders = await store.listGrantHolders({
      clientId,
      sector,
      at: clock.now(),
      ...omitUndefined({ after }),
      limit: PEOPLE_PER_SLICE,
    });
    const covered = holders.filter(({ grants }) => grants.some(isCovered)).map(({ userId }) => userId);
    yield { evaluated: covered.length, subjects: await satisfying(covered) };
    after = holders.at(-1)?.subjectHash;
    if (holders.length < PEOPLE_PER_SLICE || after === undefined) return;
  }
}
