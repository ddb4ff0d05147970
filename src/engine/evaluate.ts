/** From closures to answers: gate, then evidence or projection, then the result with its expiry (L20–L24). */
import { type ClaimSet, findValue, getAttestation } from './claims/claim-set.js';
import { LAST_INSTANT } from './claims/instant.js';
import type { JsonValue } from './claims/json-value.js';
import {
  attestationOf,
  type EvidenceCheck,
  type EvidenceClaim,
  type EvidencePlan,
  readClaim,
} from './compile/evidence.js';
import type { PlannedProjection } from './compile/plan.js';
import type { CheckResult, ClaimUsed, PredicateResult, ProjectedClaim, ProjectionResult } from './result.js';

const MS_PER_SECOND = 1_000;

/** Runs every check and says why the answer is what it is (L21, L22). */
export function evaluatePredicate(
  { checks, verdict, claims: read }: EvidencePlan,
  claims: ClaimSet,
  resultLifetimeSeconds: number,
): PredicateResult {
  const checkResults = new Array<CheckResult>(checks.length);
  for (let position = 0; position < checks.length; position += 1) {
    checkResults[position] = runCheck(checks[position] as EvidenceCheck, claims);
  }
  const claimsUsed = new Array<ClaimUsed>(read.length);
  let used = 0;
  let earliest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < read.length; index += 1) {
    const claim = read[index] as EvidenceClaim;
    const value = readClaim(claims, claim);
    if (value === undefined) continue;
    const { id, source, expiresAt } = attestationOf(claims, claim);
    claimsUsed[used] = { path: claim.path, value, credentialId: id, source };
    used += 1;
    if (expiresAt < earliest) earliest = expiresAt;
  }
  if (used < claimsUsed.length) claimsUsed.length = used;
  return {
    type: 'predicate',
    passed: verdict(checkResults),
    evaluatedAt: claims.metadata.json.at,
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
    const whole = findValue(claims, claim);
    const value = whole === undefined ? null : extract(whole);
    data.push([claim.path, value]);
    if (whole === undefined) continue;
    claimsUsed.push({ path: claim.path, value });
    earliest = Math.min(earliest, getAttestation(claims.metadata, claim).expiresAt);
  }
  return {
    type: 'projection',
    data: Object.fromEntries(data),
    evaluatedAt: claims.metadata.json.at,
    claimsUsed,
    expiresAt: writeExpiry(earliest, claims, resultLifetimeSeconds),
  };
}

/** An undefined claim has no actual value; JSON null is a value (L12, L14). */
function runCheck({ claim, operator, expectedValue, passes }: EvidenceCheck, claims: ClaimSet): CheckResult {
  const { path } = claim;
  const actualValue = readClaim(claims, claim);
  const passed = passes(claims);
  return actualValue === undefined
    ? { claim: path, operator, expectedValue, passed }
    : { claim: path, operator, expectedValue, actualValue, passed };
}

/**
 * Until when an answer holds (L22).
 *
 * @param earliest - The earliest expiry of what it is made of; infinite where none of that expires.
 */
export function writeExpiry(earliest: number, claims: ClaimSet, resultLifetimeSeconds: number): string {
  const expiry =
    earliest === Number.POSITIVE_INFINITY
      ? claims.metadata.at + resultLifetimeSeconds * MS_PER_SECOND
      : earliest;
  // What expires after the last instant that can be written is told as expiring then: data may not break a query (L15).
  return claims.metadata.json.expiry(Math.min(expiry, LAST_INSTANT));
}
