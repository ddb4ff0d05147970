/** The use cases that show something of people, each recorded before its answer leaves: what was shown, or why it was refused (L20, L25). */
import { type CompiledQuery, canonicalText } from '../../engine/index.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { Digest } from '../ports/ports.js';
import type { PresetOutcome } from '../presets/resolve-presets.js';
import type { QueryRequest } from '../queries/compiled-query-cache.js';
import type { Reads } from '../reads.js';
import type { Grant } from '../tokens/authenticate-bearer.js';
import { CLAIM_OF_USER_INFO, type UserInfo } from '../user-info.js';
import type { AuditEntry, AuditKind } from './audit-entry.js';
import type { AuditTrail } from './audit-trail.js';

/** What an entry says of a query. */
type QueryDescription = Pick<AuditEntry, 'queryHash' | 'claims'>;

/** The one refusal of what is a query: for every other reason it would be read once more, and has no hash. */
const OF_A_QUERY = 'insufficient_scope';

/** A way to find a compiled query again. */
type Recall = () => CompiledQuery;

/**
 * The same use cases, recorded; the very same where nothing is.
 *
 * An answer that was recorded may still be lost on its way; one that was not recorded never leaves.
 */
export function auditReads(reads: Reads, context: ServiceContext): Reads {
  const { audit, clock, catalogue, digest, queries } = context;
  if (audit === undefined) return reads;
  const describe = createQueryDescriber(digest, catalogue);
  const byGrant = (kind: AuditKind, grant: Grant, more: Partial<AuditEntry> = {}): AuditEntry => {
    const { clientId, userId, authorizationId } = grant;
    return { at: clock.now(), kind, clientId, userId, authorizationId, ...more };
  };
  const presetEntry = (outcome: PresetOutcome, grant: Grant): AuditEntry => {
    const claim = catalogue.findPreset(outcome.preset)?.claim;
    // A name that no preset has is the caller's own text.
    const known = claim === undefined ? {} : { about: outcome.preset, claims: [claim] };
    return 'error' in outcome
      ? byGrant('preset_refused', grant, { ...known, reason: outcome.error.subcode })
      : byGrant('preset_answered', grant, known);
  };
  return {
    answerQuery: async (request: QueryRequest, grant, meter) => {
      const recall = () => queries.compileRequest(request);
      const answer = await refusing(
        audit,
        () => reads.answerQuery(request, grant, meter),
        (reason) =>
          byGrant('query_refused', grant, { ...(reason === OF_A_QUERY ? describe(recall) : {}), reason }),
      );
      await audit.record([byGrant('query_answered', grant, describe(recall))]);
      return answer;
    },
    resolvePresets: async (names, grant, meter) => {
      const outcomes = await reads.resolvePresets(names, grant, meter);
      await audit.record(outcomes.map((outcome) => presetEntry(outcome, grant)));
      return outcomes;
    },
    readUserInfo: async (grant) => {
      const info = await reads.readUserInfo(grant);
      await audit.record([byGrant('user_info_read', grant, { claims: claimsAmong(info) })]);
      return info;
    },
    listCredentials: async (request, grant) => {
      const page = await refusing(
        audit,
        () => reads.listCredentials(request, grant),
        (reason) => byGrant('credentials_refused', grant, { reason }),
      );
      const paths = page.items.flatMap(({ credential }) => Object.keys(credential.claims));
      await audit.record([byGrant('credentials_listed', grant, { claims: knownClaims(paths, catalogue) })]);
      return page;
    },
    evaluateAudience: async (request) => {
      const recall = () => queries.compile(request.query);
      const about = () => ({ at: clock.now(), clientId: request.clientId });
      const evaluated = await refusing(
        audit,
        () => reads.evaluateAudience(request),
        (reason) =>
          // Of an application that is not there the id is the caller's own text.
          reason === 'not_found' ? undefined : { ...about(), kind: 'audience_refused', reason },
      );
      await audit.record([{ ...about(), ...describe(recall), kind: 'audience_evaluated' }]);
      return evaluated;
    },
  };
}

/** Does a work; a refusal is recorded and then passed on. */
async function refusing<Result>(
  audit: AuditTrail,
  work: () => Promise<Result>,
  toEntry: (reason: string) => AuditEntry | undefined,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const entry = error instanceof ServiceError ? toEntry(error.subcode) : undefined;
    if (entry !== undefined) await audit.record([entry]);
    throw error;
  }
}

/** Tells a query by its hash and its claims. Each is hashed once while it is kept. */
function createQueryDescriber(
  digest: Digest,
  catalogue: ServiceCatalogue,
): (recall: Recall) => QueryDescription {
  const known = new WeakMap<CompiledQuery, QueryDescription>();
  return (recall) => {
    const compiled = recall();
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

/** The catalogue's claims among paths, each once: what else a path holds is its caller's own text, for which the hash stands. */
function knownClaims(paths: readonly string[], catalogue: ServiceCatalogue): readonly string[] {
  return [...new Set(paths.flatMap((path) => claimOf(path, catalogue) ?? []))];
}

/** The claim that a path is, or reaches into. */
function claimOf(path: string, { findClaim }: ServiceCatalogue): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const claim = findClaim(path.slice(0, end));
    if (claim !== undefined) return claim.path;
  }
  return undefined;
}

function claimsAmong(info: UserInfo): readonly string[] {
  return Object.entries(CLAIM_OF_USER_INFO).flatMap(([member, path]) =>
    info[member as keyof UserInfo] === undefined ? [] : [path],
  );
}
