/** Dependencies of the use cases: ports, settings, catalogue, identifiers. */
import type { RegexEngine } from '../engine/index.js';
import type { ServiceCatalogue } from './catalogue/service-catalogue.js';
import type { DerivedClaims } from './claims/derived-claims.js';
import type { OrganizationView, PairwiseIdentifiers } from './claims/organization-view.js';
import type { SubjectClaims } from './claims/subject-claims.js';
import type { ConditionParser } from './conditions/authorization-details.js';
import type { InferenceRules } from './inference/inference-rules.js';
import type { ServiceKey } from './keys/service-key.js';
import type { SigningKey } from './keys/signing-keys.js';
import type { PalmVerifier, Ports, SignIn } from './ports/ports.js';
import type { SignInProvider } from './ports/sign-in-provider.js';
import type { ExternalSignIn, TrustedIssuer } from './ports/verifiers.js';
import type { CompiledQueryCache } from './queries/compiled-query-cache.js';
import type { ConditionEvaluator } from './queries/evaluate-condition.js';
import type { Environment, Settings } from './settings.js';

export interface ServiceContext extends Ports {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly catalogue: ServiceCatalogue;
  readonly derivedClaims: DerivedClaims;
  readonly subjectClaims: SubjectClaims;
  /** Rounds the expiries of credentials and replaces their identifying claims, for one organization. */
  readonly view: OrganizationView;
  readonly queries: CompiledQueryCache;
  /** Parses authorization details. */
  readonly conditions: ConditionParser;
  /** Evaluates granted conditions, and queries with less than full evidence. */
  readonly conditionEvaluator: ConditionEvaluator;
  /** Decides which questions about claims with an inference bound are answered. */
  readonly inferenceRules: InferenceRules;
  readonly identifiers: PairwiseIdentifiers;
  readonly regex: RegexEngine;
  /** Derives a key for each `KeyPurpose`. */
  readonly serviceKey: ServiceKey;
  /** Lists the keys that may sign ID tokens, from a cache. */
  readonly listSigningKeys: () => Promise<readonly SigningKey[]>;
  /** The key that signs sessions and the nonces of external sign-ins. Secret. */
  readonly sessionKey: string;
  /** The key of the HMACs that identify credentials, their subjects, and accounts at providers. Secret. */
  readonly credentialKey: string;
  /** Verifies that a person is present. */
  readonly palm: PalmVerifier;
  /** Verifies a person's identity. */
  readonly signIn: SignIn;
  /** Issuers whose signed credentials are accepted. */
  readonly issuers: readonly TrustedIssuer[];
  /** The external login; absent if people sign in at the service. */
  readonly externalSignIn?: ExternalSignIn;
  /** The OpenID Connect providers at which people sign in. */
  readonly signInProviders: readonly SignInProvider[];
  /** Whether a DPoP proof must have a nonce of this service (RFC 9449 §8, §9). */
  readonly dpopNonceRequired: boolean;
  /** Whether the administrator may approve for a person. */
  readonly administratorApproves: boolean;
  /** SHA-256 of the administrator's token, base64url; absent without an administrator. */
  readonly administratorTokenHash?: string;
}
