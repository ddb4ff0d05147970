/** Parses queries that are to be translated. Stores translate parsed queries, and do not bundle this module. */
import { withOperandChecks } from '../engine/claims/claim-type.js';
import { CLAIM_TYPES, type ParseOptions, type PolicyItem, parse } from '../engine/index.js';
import { SqlTranslationError } from './errors.js';

/**
 * Parses a query that is to be translated.
 *
 * @throws {QueryError} As `parse` does.
 * @throws {SqlTranslationError} For projections.
 */
export function parsePolicy(query: unknown, { limits, regex, claims }: ParseOptions): PolicyItem {
  const parsed = parse(query, { limits, regex, claims });
  // After `parse` validated `claims`: checks must also fit the types of these claims.
  const typed = claims?.flatMap((claim) =>
    CLAIM_TYPES.includes(claim.type) ? withOperandChecks([claim]) : [claim],
  );
  if (typed !== undefined) parse(query, { limits, regex, claims: typed });
  if (!('projections' in parsed)) return parsed;
  const message = 'A translation requires a check or a policy, not projections.';
  throw new SqlTranslationError([{ code: 'projections', pointer: '/projections', message }]);
}
