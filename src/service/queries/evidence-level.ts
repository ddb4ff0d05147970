/** Levels of evidence: how much a result contains besides the verdict, limited by the application and by the scopes (S340–S345). */
import {
  type CompiledQuery,
  EVIDENCE_LEVELS,
  type Evidence,
  type EvidenceLevel,
} from '../../engine/index.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { DerivedClaims } from '../claims/derived-claims.js';
import { ServiceError } from '../errors.js';
import { isCoveredBy } from '../scopes/scopes.js';
import type { Grant } from '../tokens/tokens.js';

/** A query with the requested level of evidence. */
export interface EvaluationRequest {
  readonly query: CompiledQuery;
  readonly evidence: EvidenceLevel;
}

/** The members of a grant that limit evidence. */
export type EvidenceLimits = Pick<Grant, 'grantedScopes' | 'maxEvidence'>;

/**
 * Returns the level of a result about claims that the scopes of a grant cover: the lowest of the requested level and the limits of the application
 * and of every granted scope through which a claim is covered.
 */
export function allowedEvidence(
  requested: EvidenceLevel,
  claims: readonly string[],
  { grantedScopes, maxEvidence }: EvidenceLimits,
  { scopes, evidenceLimits }: ServiceCatalogue,
): EvidenceLevel {
  const level = lowestOf(requested, maxEvidence);
  if (evidenceLimits.length === 0 || level === 'none') return level;
  const granted = scopes.expand(grantedScopes);
  const covering = new Set(claims.flatMap((claim) => scopes.coveringScopes(claim)));
  return evidenceLimits
    .filter(({ scope, includes }) => granted.has(scope) && includes.some((each) => covering.has(each)))
    .map((limit) => limit.level)
    .reduce(lowestOf, level);
}

/** Returns a predicate: whether the values of a covered claim may be disclosed under a grant. */
export function disclosesValues(
  grant: EvidenceLimits,
  catalogue: ServiceCatalogue,
): (path: string) => boolean {
  return (path) => allowedEvidence('full', [path], grant, catalogue) === 'full';
}

/**
 * Returns the parents of the time-dependent derived claims among `claims`, without those that the grant discloses: for an age, the date of birth.
 * The expiry of a result must not disclose the values of the returned parents: an age expires on a birthday.
 */
export function hiddenDates(
  claims: readonly string[],
  grant: EvidenceLimits,
  { catalogue, derivedClaims }: DisclosurePorts,
): readonly string[] {
  const dates = derivedClaims.timedParentsOf(claims);
  if (dates.length === 0) return dates;
  const [isCovered, isDisclosed] = [
    isCoveredBy(grant.grantedScopes, catalogue.scopes),
    disclosesValues(grant, catalogue),
  ];
  return dates.filter((path) => !isCovered(path) || !isDisclosed(path));
}

interface DisclosurePorts {
  readonly catalogue: ServiceCatalogue;
  readonly derivedClaims: DerivedClaims;
}

/** Creates the error for values that must not be disclosed. */
export function evidenceLimitedError(claims: readonly string[], level: EvidenceLevel): ServiceError {
  return new ServiceError('evidence_limited', { claims, max_evidence: level });
}

/** The evidence of a result that has only the verdict. */
export const NO_EVIDENCE: Evidence = Object.freeze({ claimsUsed: [], checkResults: [] });

/** Reduces evidence to a level. */
export function reduceEvidence(evidence: Evidence, level: EvidenceLevel): Evidence {
  switch (level) {
    case 'full':
      return evidence;
    case 'checks':
      return {
        claimsUsed: [],
        checkResults: evidence.checkResults.map(({ actualValue: _, ...outcome }) => outcome),
      };
    case 'none':
      return NO_EVIDENCE;
  }
}

function lowestOf(one: EvidenceLevel, other: EvidenceLevel): EvidenceLevel {
  return EVIDENCE_LEVELS.indexOf(one) > EVIDENCE_LEVELS.indexOf(other) ? one : other;
}
