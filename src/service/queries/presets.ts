/** Presets: predefined queries, evaluated on one snapshot of the data (S141, S144). */
import { indexCredentials } from '../../engine/claims/claim-set.js';
import {
  type ClaimSet,
  type Credential,
  type Evidence,
  type EvidenceLevel,
  findClaim,
  formatInstant,
  isActiveAt,
  type JsonValue,
  toClaimReference,
} from '../../engine/index.js';
import type { Preset, ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { recordValues } from '../inference/inference-guard.js';
import { UNMETERED, type WorkMeter } from '../rate-limits/work-meter.js';
import type { Grant } from '../tokens/tokens.js';
import { credentialNames, guardPorts } from './evaluate-query.js';
import { allowedEvidence, evidenceLimitedError, hiddenDates, reduceEvidence } from './evidence-level.js';

/** The result of a preset. Instants are RFC 3339. */
export interface PresetResult {
  readonly preset: string;
  readonly value: JsonValue;
  readonly expiresAt: string;
  /** When the attesting credential was issued, rounded down. */
  readonly verifiedAt: string;
  readonly evidence: Evidence;
}

/** The outcome of one preset: its result or its error. */
export type PresetOutcome =
  | { readonly preset: string; readonly result: PresetResult }
  | { readonly preset: string; readonly error: ServiceError };

/** Why no active credential attests a claim. */
export type PresetStatus = 'pending' | 'unavailable' | 'expired';

/** Creates the use case of presets. */
export function createPresets(context: ServiceContext) {
  return {
    /**
     * Resolves presets independently of each other.
     *
     * Errors in outcomes: `preset_not_found`, `insufficient_scope` and `evidence_limited` do not depend on credentials; `preset_unavailable` and
     * `preset_expired` do.
     *
     * @param evidence - The requested evidence. Does not affect the values, which require full evidence.
     * @returns One outcome per name, in order.
     * @throws {ServiceError} `temporarily_unavailable` after too many conflicts with concurrent answers about the person.
     */
    async resolvePresets(
      names: readonly string[],
      grant: Grant,
      meter: WorkMeter = UNMETERED,
      evidence: EvidenceLevel = 'full',
    ): Promise<readonly PresetOutcome[]> {
      const now = context.clock.now();
      const outcomes = meter.measure(() =>
        names.map((name) => ({ name, found: findCovered(name, grant, context.catalogue) })),
      );
      const presets = outcomes.flatMap(({ found }) => (found instanceof ServiceError ? [] : [found]));
      const credentials = presets.length === 0 ? [] : await context.store.readCredentials(grant.userId);
      const paths = presets.map(({ claim }) => claim);
      const results = meter.measure(() => {
        const visible = context.view.pseudonymize(credentials, grant.organizationId, now);
        const hidden = hiddenDates(paths, grant, context);
        const claims = indexCredentials(context.derivedClaims.addTo(visible, now, paths, hidden), now);
        return outcomes.map(({ name, found }): PresetOutcome => {
          if (found instanceof ServiceError) return { preset: name, error: found };
          const result = resolve(found, claims, now, { grant, evidence }, context);
          if (result !== undefined) return { preset: name, result };
          return { preset: name, error: unavailableError(found, credentials, now, context.catalogue) };
        });
      });
      const values = results.flatMap((outcome, index) => {
        const found = outcomes[index]?.found;
        const isValue = 'result' in outcome && found !== undefined && !(found instanceof ServiceError);
        return isValue ? [[found.claim, outcome.result.value] as const] : [];
      });
      await recordValues(new Map(values), { grant, now }, guardPorts(context, meter));
      return results;
    },
  };
}

/** Returns the preset if the grant covers it, or the error, which does not depend on the person's data (L20). */
function findCovered(name: string, grant: Grant, catalogue: ServiceCatalogue): Preset | ServiceError {
  const preset = catalogue.findPreset(name);
  if (preset === undefined) return new ServiceError('preset_not_found');
  const expandedScopes = catalogue.scopes.expand(grant.grantedScopes);
  const scopes = catalogue.scopes.coveringScopes(preset.claim);
  if (scopes.some((scope) => expandedScopes.has(scope))) {
    const level = allowedEvidence('full', [preset.claim], grant, catalogue);
    return level === 'full' ? preset : evidenceLimitedError([preset.claim], level);
  }
  return new ServiceError('insufficient_scope', { missing: [{ claim: preset.claim, scopes }] });
}

function resolve(
  { name, claim }: Preset,
  claims: ClaimSet,
  now: number,
  { grant, evidence: level }: { readonly grant: Grant; readonly evidence: EvidenceLevel },
  { queries, identifiers, view }: ServiceContext,
): PresetResult | undefined {
  const query = queries.compile({ check: { claim, operator: 'isDefined' } });
  const result = query.evaluate(claims, { now, scopes: grant.grantedScopes });
  const attestedClaim = findClaim(claims, toClaimReference(claim));
  if (result.type !== 'predicate' || !result.passed || attestedClaim === undefined) return undefined;
  const { expiresAt, evidence: found } = result;
  const nameOf = credentialNames(grant.organizationId, identifiers);
  const claimsUsed = found.claimsUsed.map((used) => ({ ...used, credentialId: nameOf(used.credentialId) }));
  const evidence = reduceEvidence({ ...found, claimsUsed }, level);
  const verifiedAt = formatInstant(view.roundDown(attestedClaim.credential.issuedAt));
  return { preset: name, value: attestedClaim.value, expiresAt, verifiedAt, evidence };
}

/**
 * Creates the error for a claim that no active credential attests. Its status is that of the latest of the inactive credentials that attest the claim
 * (for a derived claim, its parent), or `pending` if there is no such credential.
 */
function unavailableError(
  { claim }: Preset,
  credentials: readonly Credential[],
  now: number,
  catalogue: ServiceCatalogue,
): ServiceError {
  const attested = catalogue.findClaim(claim)?.derived?.parent ?? claim;
  const [last] = credentials
    .filter((credential) => Object.hasOwn(credential.claims, attested) && !isActiveAt(credential, now))
    .sort((one, other) => other.issuedAt - one.issuedAt);
  const status = last === undefined ? 'pending' : statusOf(last, now);
  return new ServiceError(status === 'expired' ? 'preset_expired' : 'preset_unavailable', { status });
}

function statusOf({ issuedAt, revokedAt }: Credential, now: number): PresetStatus {
  if (issuedAt > now) return 'pending';
  return revokedAt !== undefined && revokedAt <= now ? 'unavailable' : 'expired';
}
