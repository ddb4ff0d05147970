/** Serializes results to JSON directly: the parts that do not depend on claims are prepared as text (L21, L22, L24). */

import type { CredentialNaming } from '../claims/claim-json.js';
import { NO_SLOT } from '../claims/claim-path.js';
import { type ClaimSet, findValue } from '../claims/claim-set.js';
import { writeExpiry } from '../evaluate.js';
import { attestationOf, type EvidenceCheck, type EvidenceClaim, type EvidencePlan } from './evidence.js';

const PASSED = ',"passed":true}';
const FAILED = ',"passed":false}';

/**
 * Serializes the result for one subject's claims: the same bytes as `JSON.stringify` on the result of `evaluate`, apart from the ids of credentials.
 *
 * @param credentialName - Maps the ids of credentials to those in the evidence; absent if these are the same.
 */
export function serializeResult(
  { checks, verdict, claims: claimsRead }: EvidencePlan,
  claims: ClaimSet,
  resultLifetimeSeconds: number,
  credentialName: CredentialNaming | undefined,
): string {
  const outcomes = new Array<{ readonly passed: boolean }>(checks.length);
  let results = '';
  for (let position = 0; position < checks.length; position += 1) {
    const check = checks[position] as EvidenceCheck;
    const passed = check.passes(claims);
    outcomes[position] = passed ? PASSING : FAILING;
    const value = jsonOf(claims, check.claim);
    const start = check.json === '' ? writeStart(check) : check.json;
    // No comma precedes the first result.
    results += position === 0 ? start.slice(1) : start;
    if (value !== undefined) results += `,"actualValue":${value}`;
    results += passed ? PASSED : FAILED;
  }
  let used = '';
  let earliest = Number.POSITIVE_INFINITY;
  for (let position = 0; position < claimsRead.length; position += 1) {
    const claim = claimsRead[position] as EvidenceClaim;
    const value = jsonOf(claims, claim);
    if (value === undefined) continue;
    const attestation = attestationOf(claims, claim);
    if (attestation.expiresAt < earliest) earliest = attestation.expiresAt;
    used += `${used === '' ? '' : ','}${claim.json}${value}${attestation.write(credentialName)}`;
  }
  return `{"type":"predicate","passed":${verdict(outcomes)},"evaluatedAt":"${claims.metadata.json.at}","evidence":{"claimsUsed":[${used}],"checkResults":[${results}]},"expiresAt":"${writeExpiry(earliest, claims, resultLifetimeSeconds)}"}`;
}

/** Writes the part of a check's result that does not depend on claims, once per check. */
function writeStart(check: EvidenceCheck): string {
  const { claim, operator, expectedValue } = check;
  // Joined, since a concatenated string keeps each of its parts in memory.
  check.json = [
    ',{"claim":"',
    claim.path,
    '","operator":"',
    operator,
    '","expectedValue":',
    JSON.stringify(expectedValue),
  ].join('');
  return check.json;
}

const PASSING = Object.freeze({ passed: true });
const FAILING = Object.freeze({ passed: false });

/** Returns a claim's value as JSON; `undefined` where it is not defined. */
function jsonOf(claims: ClaimSet, claim: EvidenceClaim): string | undefined {
  if (claim.slot !== NO_SLOT && claims[claim.slot] !== undefined)
    return claims.metadata.json.value(claim.slot);
  const value = findValue(claims, claim);
  return value === undefined ? undefined : JSON.stringify(value);
}
