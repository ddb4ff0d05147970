/** From closures to answers: gate, then evidence or projection, then the result with its expiry (L20–L24). */
import { type ClaimSet, findCredential, findValue } from './claims/claim-set.js';
import { LAST_INSTANT } from './claims/instant.js';
import type { JsonValue } from './claims/json-value.js';
import { type EvidencePlan, runChecks } from './compile/evidence.js';
import type { PlannedProjection } from './compile/plan.js';
import type { ClaimUsed, PredicateResult, ProjectedClaim, ProjectionResult } from './result.js';

const MS_PER_SECOND = 1_000;

/** Runs every check and says why the answer is what it is (L21, L22). */
export function evaluatePredicate(
  { checks, verdict, claims: references }: EvidencePlan,
  claims: ClaimSet,
  resultLifetimeSeconds: number,
): PredicateResult {
  const checkResults = runChecks(checks, claims);
  const claimsUsed: ClaimUsed[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (const reference of references) {
    const value = findValue(claims, reference);
    if (value === undefined) continue;
    const { id, source, expiresAt = Number.POSITIVE_INFINITY } = findCredential(claims, reference);
    claimsUsed.push({ path: reference.path, value, credentialId: id, source });
    if (expiresAt < earliest) earliest = expiresAt;
  }
  return {
    type: 'predicate',
    passed: verdict(checkResults.map((result) => result.passed)),
    evaluatedAt: claims.atText,
    evidence: { claimsUsed, checkResults },
    expiresAt: writeExpiry(earliest, claims, resultLifetimeSeconds),
  };
}

/** Sees each claim through its lens, and nothing that was not asked for (L23). */
export function evaluateProjections(
  projections: readonly PlannedProjection[],
  claims: ClaimSet,
  resultLifetimeSeconds: number,
): ProjectionResult {
  const data: [string, JsonValue][] = [];
  const claimsUsed: ProjectedClaim[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (const { claim, extract } of projections) {
    const defined = claims.find(claim);
    const value = defined === undefined ? null : extract(defined.value);
    data.push([claim.path, value]);
    if (defined === undefined) continue;
    claimsUsed.push({ path: claim.path, value });
    earliest = Math.min(earliest, defined.credential.expiresAt ?? Number.POSITIVE_INFINITY);
  }
  return {
    type: 'projection',
    data: Object.fromEntries(data),
    evaluatedAt: claims.atText,
    claimsUsed,
    expiresAt: writeExpiry(earliest, claims, resultLifetimeSeconds),
  };
}

/**
 * Until when an answer holds (L22).
 *
 * @param earliest - The earliest expiry of what it is made of; infinite where none of that expires.
 */
export function writeExpiry(earliest: number, claims: ClaimSet, resultLifetimeSeconds: number): string {
  const expiry =
    earliest === Number.POSITIVE_INFINITY ? claims.at + resultLifetimeSeconds * MS_PER_SECOND : earliest;
  // What expires after the last instant that can be written is told as expiring then: data may not break a query (L15).
  return claims.writeExpiry(Math.min(expiry, LAST_INSTANT));
}
