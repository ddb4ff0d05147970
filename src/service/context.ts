/** What every use case works with: ports, settings, catalogue, identifiers. */
import type { ServiceCatalogue } from './catalogue/service-catalogue.js';
import type { DerivedClaims } from './claims/derived-claims.js';
import type { OrganizationView, PairwiseIdentifiers } from './claims/organization-view.js';
import type { SubjectClaims } from './claims/subject-claims.js';
import type { PalmVerifier, Ports, SignIn } from './ports/ports.js';
import type { ExternalSignIn, TrustedIssuer } from './ports/verifiers.js';
import type { CompiledQueryCache } from './queries/compiled-query-cache.js';
import type { Environment, Settings } from './settings.js';

export interface ServiceContext extends Ports {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly catalogue: ServiceCatalogue;
  readonly derivedClaims: DerivedClaims;
  readonly subjectClaims: SubjectClaims;
  /** What an organization may see of a person's credentials. */
  readonly view: OrganizationView;
  readonly queries: CompiledQueryCache;
  readonly identifiers: PairwiseIdentifiers;
  /** With which cursors are proved to be ours; never shown. */
  readonly serviceKey: string;
  /** With which people's sessions are proved to be ours; never shown. */
  readonly sessionKey: string;
  /** Keys the hashes by which signed credentials and their subjects are recognized; never shown. */
  readonly credentialKey: string;
  /** How people prove to be present. */
  readonly palm: PalmVerifier;
  /** How people show who they are. */
  readonly signIn: SignIn;
  /** Whose signed credentials are taken in. */
  readonly issuers: readonly TrustedIssuer[];
  /** A login that is not ours; absent where people sign in here. */
  readonly externalSignIn?: ExternalSignIn;
  /** Whether a DPoP proof must have a nonce of this service (RFC 9449 §8, §9). */
  readonly dpopNonceRequired: boolean;
  /** Whether the administrator may approve for a person. */
  readonly administratorApproves: boolean;
  /** SHA-256 of the administrator's token, base64url; absent where there is no administrator. */
  readonly administratorTokenHash?: string;
}
