/** Creates results: evidence or projected values, with their expiry (L20–L24). */
import { MS_PER_SECOND } from '../util/time.js';
import { type ClaimSet, findValue, getAttestation } from './claims/claim-set.js';
import { LAST_INSTANT } from './claims/instant.js';
import type { JsonValue } from './claims/json-value.js';
import {
  attestationOf,
  type EvidenceCheck,
  type EvidenceClaim,
  type EvidencePlan,
  failingChecks,
  readClaim,
} from './compile/evidence.js';
import type { PlannedProjection } from './compile/plan.js';
import type { PolicyItem } from './query/query.js';
import type {
  CheckOutcome,
  CheckResult,
  ClaimUsed,
  PredicateResult,
  ProjectedClaim,
  ProjectionResult,
} from './result.js';

/** Runs every check and returns the result with its evidence (L21, L22). */
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

/** Runs every check and returns those that made the item fail (L21). */
export function checkPredicate(query: PolicyItem, { checks }: EvidencePlan, claims: ClaimSet): CheckOutcome {
  const results = checks.map((check) => runCheck(check, claims));
  const failing = failingChecks(query, results);
  return { passed: failing.length === 0, failing };
}

/** Extracts each requested claim through its lens, and nothing else (L23). */
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

/** Runs a check. An undefined claim has no actual value; JSON `null` is a value (L12, L14). */
function runCheck({ claim, operator, expectedValue, passes }: EvidenceCheck, claims: ClaimSet): CheckResult {
  const { path } = claim;
  const actualValue = readClaim(claims, claim);
  const passed = passes(claims);
  return actualValue === undefined
    ? { claim: path, operator, expectedValue, passed }
    : { claim: path, operator, expectedValue, actualValue, passed };
}

/**
 * Returns the expiry of a result as an RFC 3339 date-time (L22).
 *
 * @param earliest - Earliest expiry of the credentials used; infinite where none expires.
 */
export function writeExpiry(earliest: number, claims: ClaimSet, resultLifetimeSeconds: number): string {
  const expiry =
    earliest === Number.POSITIVE_INFINITY
      ? claims.metadata.at + resultLifetimeSeconds * MS_PER_SECOND
      : earliest;
  // An expiry beyond the last representable instant is capped, since data must not make a query fail (L15).
  return claims.metadata.json.expiry(Math.min(expiry, LAST_INSTANT));
}
