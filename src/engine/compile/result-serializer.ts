/** Serializes results to JSON directly: the parts that do not depend on claims are prepared as text (L21, L22, L24). */

import { NO_SLOT } from '../claims/claim-path.js';
import { type ClaimSet, type CredentialNaming, findValue } from '../claims/claim-set.js';
import { attestationOf, type EvidenceCheck, type EvidenceClaim, type EvidencePlan } from './evidence.js';

/**
 * Serializes the result for one subject's claims.
 *
 * @param formatExpiry - Formats the result's expiry, given the earliest expiry of the credentials.
 * @param credentialName - Maps the ids of credentials; absent if evidence has the ids themselves.
 */
export type ResultSerializer = (
  claims: ClaimSet,
  formatExpiry: (earliest: number) => string,
  credentialName: CredentialNaming | undefined,
) => string;

const PASSED = ',"passed":true}';
const FAILED = ',"passed":false}';

/** Creates the serializer of a predicate's results, which gives the same bytes as `JSON.stringify` on the result of `evaluate`. */
export function createResultSerializer({
  checks,
  verdict,
  claims: claimsRead,
}: EvidencePlan): ResultSerializer {
  // Joined, since a concatenated string keeps each of its parts in memory.
  const checkStarts = checks.map(({ claim, operator, expectedValue }, position) =>
    [
      `${position === 0 ? '' : ','}{"claim":"`,
      claim.path,
      '","operator":"',
      operator,
      '","expectedValue":',
      JSON.stringify(expectedValue),
    ].join(''),
  );
  const claimStarts = claimsRead.map(({ path }) => ['{"path":"', path, '","value":'].join(''));
  return (claims, formatExpiry, credentialName) => {
    const outcomes = new Array<{ readonly passed: boolean }>(checks.length);
    let results = '';
    for (let position = 0; position < checks.length; position += 1) {
      const { claim, passes } = checks[position] as EvidenceCheck;
      const passed = passes(claims);
      outcomes[position] = passed ? PASSING : FAILING;
      const value = jsonOf(claims, claim);
      results += checkStarts[position];
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
      used += `${used === '' ? '' : ','}${claimStarts[position]}${value}${attestation.write(credentialName)}`;
    }
    return `{"type":"predicate","passed":${verdict(outcomes)},"evaluatedAt":"${claims.metadata.json.at}","evidence":{"claimsUsed":[${used}],"checkResults":[${results}]},"expiresAt":"${formatExpiry(earliest)}"}`;
  };
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
