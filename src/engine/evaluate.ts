/** From closures to answers: gate, then evidence or projection, then the result with its expiry (L20–L24). */
import type { ClaimSet, DefinedClaim } from './claims/claim-set.js';
import type { Credential } from './claims/credential.js';
import { formatInstant, LAST_INSTANT } from './claims/instant.js';
import type { JsonValue } from './claims/json-value.js';
import type { Recording, RecordingPredicate } from './compile/evidence.js';
import type { PlannedProjection } from './compile/plan.js';
import type { ClaimUsed, PredicateResult, ProjectedClaim, ProjectionResult } from './result.js';

const MS_PER_SECOND = 1_000;

/** Runs every check and says why the answer is what it is (L21, L22). */
export function evaluatePredicate(
  predicate: RecordingPredicate,
  claims: ClaimSet,
  resultLifetimeSeconds: number,
): PredicateResult {
  const recording: Recording = { checkResults: [], claimsUsed: new Map() };
  const passed = predicate(claims, recording);
  const used = [...recording.claimsUsed];
  return {
    type: 'predicate',
    passed,
    evaluatedAt: formatInstant(claims.at),
    evidence: { claimsUsed: used.map(toClaimUsed), checkResults: recording.checkResults },
    expiresAt: expiry(
      used.map(([, claim]) => claim.credential),
      claims.at,
      resultLifetimeSeconds,
    ),
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
  const credentials: Credential[] = [];
  for (const { claim, extract } of projections) {
    const defined = claims.find(claim);
    const value = defined === undefined ? null : extract(defined.value);
    data.push([claim.path, value]);
    if (defined === undefined) continue;
    claimsUsed.push({ path: claim.path, value });
    credentials.push(defined.credential);
  }
  return {
    type: 'projection',
    data: Object.fromEntries(data),
    evaluatedAt: formatInstant(claims.at),
    claimsUsed,
    expiresAt: expiry(credentials, claims.at, resultLifetimeSeconds),
  };
}

function toClaimUsed([path, { value, credential }]: [string, DefinedClaim]): ClaimUsed {
  return { path, value, credentialId: credential.id, source: credential.source };
}

function expiry(used: readonly Credential[], at: number, resultLifetimeSeconds: number): string {
  const expiries = used.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
  const [first = at + resultLifetimeSeconds * MS_PER_SECOND, ...others] = expiries;
  const earliest = Math.min(first, ...others);
  // What expires after the last instant that can be written is told as expiring then: data may not break a query (L15).
  return formatInstant(Math.min(earliest, LAST_INSTANT));
}
