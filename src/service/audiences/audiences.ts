/** An application's audience: of the people whose grants to it cover what a policy reads, those who satisfy it (V14, L20). */

import { type CompiledQuery, QueryError } from '../../engine/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { fromQueryError } from '../queries/evaluate-query.js';
import { coveredClaims, effectiveScopes } from '../scopes/scopes.js';
import { AudienceError, createCompiledAudience } from './audience.js';

export interface AudienceRequest {
  readonly clientId: string;
  /** Raw JSON. */
  readonly query: unknown;
}

/** The people of an audience, as they are found. */
export interface EvaluatedAudience {
  /** The instant for which everybody is asked; epoch milliseconds. */
  readonly evaluatedAt: number;
  readonly slices: AsyncIterable<AudienceSlice>;
}

/** What came of some of the people. */
export interface AudienceSlice {
  /** How many were asked: their grants cover every claim of the policy. */
  readonly evaluated: number;
  /** Those who satisfy it, as the application's organisation knows them (V5). */
  readonly subjects: readonly string[];
}

/** Few enough that a statement on them is answered at once, also where somebody stops listening. */
const PEOPLE_PER_SLICE = 250;

/** The audiences of applications. */
export function createAudiences(context: ServiceContext) {
  return {
    /**
     * Evaluates a policy on everybody whose grant to an application is in force and covers it, some people at a time; nothing is read ahead
     * of who listens. Everybody is asked for the same instant; whose grant ended in the meantime is left out.
     *
     * @throws {ServiceError} Before the first slice: `invalid_query`, `query_too_large`; `not_found` where there is no such application.
     */
    async evaluate({ clientId, query }: AudienceRequest): Promise<EvaluatedAudience> {
      const application = await context.store.findApplication(clientId);
      if (application === undefined || application.revokedAt !== undefined)
        throw new ServiceError('not_found');
      const at = context.clock.now();
      try {
        const compiled = context.queries.compile(query);
        const audience = createCompiledAudience(compiled, { ...context, at });
        const subjectOf = (userId: string) => context.identifiers.subject(application.organizationId, userId);
        // In the order of the people given: a store answers in an order of internal ids.
        const satisfying = async (userIds: readonly string[]) => {
          const satisfied = new Set(await audience.filter(userIds));
          return userIds.filter((userId) => satisfied.has(userId)).map(subjectOf);
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

async function* slicesOf(
  { claims }: CompiledQuery,
  application: Application,
  { store, clock, catalogue, environment, identifiers }: ServiceContext,
  satisfying: (userIds: readonly string[]) => Promise<readonly string[]>,
): AsyncIterable<AudienceSlice> {
  const { clientId } = application;
  const sector = identifiers.sector(application.organizationId);
  const isCovered = (granted: readonly string[]) =>
    // One grant by itself must cover every claim (L20): the person did not agree to the combination of two.
    claims.every(coveredClaims(effectiveScopes(granted, application, environment), catalogue.scopes));
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
