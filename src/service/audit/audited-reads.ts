/** Audits the use cases that return personal data: entries are recorded before the result or the rejection that they describe is returned (L20, L25). */
import { type CompiledQuery, canonicalText } from '../../engine/index.js';
import type { createAudiences } from '../audiences/audiences.js';
import { knownClaims } from '../catalogue/known-claims.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { ServiceContext } from '../context.js';
import type { createCredentials } from '../credentials/credentials.js';
import { ServiceError } from '../errors.js';
import type { Digest } from '../ports/ports.js';
import type { PresetOutcome } from '../queries/presets.js';
import type { createQueries } from '../queries/queries.js';
import type { Grant } from '../tokens/tokens.js';
import { claimsIn } from '../user-info.js';
import type { AuditEntry, AuditKind, AuditTrail } from './audit-trail.js';

/** The reasons for which a query is refused because of the claims that it reads. */
const CLAIM_RELATED_REFUSALS: ReadonlySet<string> = new Set([
  'insufficient_scope',
  'evidence_limited',
  'inference_bound',
]);

/** The members of an entry that describe a query. */
type QueryDescription = Pick<AuditEntry, 'queryHash' | 'claims'>;

/** The sub-services with methods that return personal data. */
export interface Reads {
  readonly queries: ReturnType<typeof createQueries>;
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly audiences: ReturnType<typeof createAudiences>;
}

/** Creates the entries of one read: for its result, and optionally for its rejection. */
interface Entries<Args extends readonly unknown[], Result> {
  done(result: Result, ...args: Args): readonly AuditEntry[];
  refused?(reason: string, ...args: Args): AuditEntry | undefined;
}

/**
 * Wraps the sub-services so that every result is recorded; returns them unchanged without an audit log. Rejections of queries, of lists of credentials
 * and of audiences are recorded as well, except for an unknown application.
 *
 * A result is never returned before it is recorded. A recorded result can still be lost on its way to the caller.
 */
export function auditReads(reads: Reads, context: ServiceContext): Reads {
  const { audit, clock, catalogue, digest, queries: compiled } = context;
  if (audit === undefined) return reads;
  const { queries, credentials, audiences } = reads;
  const describe = createQueryDescriber(digest, catalogue);
  const byGrant = (kind: AuditKind, grant: Grant, more: Partial<AuditEntry> = {}): AuditEntry => {
    const { clientId, userId, authorizationId } = grant;
    return { at: clock.now(), kind, clientId, userId, authorizationId, ...more };
  };
  const presetEntry = (outcome: PresetOutcome, grant: Grant): AuditEntry => {
    const claim = catalogue.findPreset(outcome.preset)?.claim;
    // An unknown preset name is caller-supplied text, which the log must not contain.
    const known = claim === undefined ? {} : { about: outcome.preset, claims: [claim] };
    return 'error' in outcome
      ? byGrant('preset_refused', grant, { ...known, reason: outcome.error.subcode })
      : byGrant('preset_answered', grant, known);
  };
  return {
    queries: {
      ...queries,
      evaluate: recorded(audit, queries.evaluate, {
        done: (_result, { query }, grant) => [byGrant('query_answered', grant, describe(query))],
        refused: (reason, { query }, grant) => {
          const description = CLAIM_RELATED_REFUSALS.has(reason) ? describe(query) : {};
          return byGrant('query_refused', grant, { ...description, reason });
        },
      }),
      recordRejection: async (error, grant) => {
        if (error instanceof ServiceError)
          await audit.record([byGrant('query_refused', grant, { reason: error.subcode })]);
      },
      resolvePresets: recorded(audit, queries.resolvePresets, {
        done: (outcomes, _names, grant) => outcomes.map((outcome) => presetEntry(outcome, grant)),
      }),
      readUserInfo: recorded(audit, queries.readUserInfo, {
        done: (info, grant) => [byGrant('user_info_read', grant, { claims: claimsIn(info) })],
      }),
    },
    credentials: {
      ...credentials,
      list: recorded(audit, credentials.list, {
        done: ({ items }, _request, grant) => {
          const paths = items.flatMap(({ credential }) => Object.keys(credential.claims));
          return [byGrant('credentials_listed', grant, { claims: knownClaims(paths, catalogue) })];
        },
        refused: (reason, _request, grant) => byGrant('credentials_refused', grant, { reason }),
      }),
    },
    audiences: {
      evaluate: recorded(audit, audiences.evaluate, {
        done: (_result, { clientId, query }) => [
          { at: clock.now(), clientId, ...describe(compiled.compile(query)), kind: 'audience_evaluated' },
        ],
        // The id of an unknown application is caller-supplied text.
        refused: (reason, { clientId }) =>
          reason === 'not_found'
            ? undefined
            : { at: clock.now(), clientId, kind: 'audience_refused', reason },
      }),
    },
  };
}

/** Wraps a read so that its entries are recorded before it returns or rejects. */
function recorded<Args extends readonly unknown[], Result>(
  audit: AuditTrail,
  read: (...args: Args) => Promise<Result>,
  { done, refused }: Entries<Args, Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    let result: Result;
    try {
      result = await read(...args);
    } catch (error) {
      const entry = error instanceof ServiceError ? refused?.(error.subcode, ...args) : undefined;
      if (entry !== undefined) await audit.record([entry]);
      throw error;
    }
    await audit.record(done(result, ...args));
    return result;
  };
}

/** Describes a query by its hash and its claims. Each compiled query is hashed once. */
function createQueryDescriber(
  digest: Digest,
  catalogue: ServiceCatalogue,
): (compiled: CompiledQuery) => QueryDescription {
  const known = new WeakMap<CompiledQuery, QueryDescription>();
  return (compiled) => {
    const found = known.get(compiled);
    if (found !== undefined) return found;
    const { query, claims } = compiled;
    const description = {
      queryHash: digest.sha256(canonicalText(query)),
      claims: knownClaims(claims, catalogue),
    };
    known.set(compiled, description);
    return description;
  };
}
