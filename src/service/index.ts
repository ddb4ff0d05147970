/** Public API of the service: use cases, ports and errors. */

export { CatalogueError, type CatalogueProblem } from '../engine/catalogue/catalogue-problems.js';
export { DEFAULT_CATALOGUE, encodeCatalogue, parseCatalogue } from '../engine/catalogue/parse-catalogue.js';
export {
  type Audience,
  AudienceError,
  type AudienceOptions,
  type AudienceStore,
  createAudience,
} from './audiences/audience.js';
export type { AudienceRequest, AudienceSlice, EvaluatedAudience } from './audiences/audiences.js';
export { type AuditChain, AuditChainError, createAuditChain, getAuditKey } from './audit/audit-chain.js';
export type {
  AuditHead,
  AuditLine,
  AuditRetention,
  AuditSeal,
  PositionRange,
} from './audit/audit-trail.js';
export {
  AUDIT_KINDS,
  type AuditEntry,
  type AuditKind,
  type AuditQuery,
  type AuditRecord,
  type AuditTrail,
  createAuditTrail,
} from './audit/audit-trail.js';
export {
  type AuditSealer,
  createAuditSealer,
  type SealerPorts,
  type SealingPorts,
  startAuditSealer,
} from './audit/seal-audit.js';
export { type AuditSweepPorts, sweepAudit } from './audit/sweep-audit.js';
export {
  AUDIT_PROBLEMS,
  type AuditProblem,
  type AuditProblemKind,
  type AuditVerification,
  type VerificationPorts,
  verifyAudit,
} from './audit/verify-audit.js';
export type { Authorization, AuthorizationStatus } from './authorization/authorization.js';
export type { Approved, AuthorizationDetail, Selection } from './authorization/authorizations.js';
export type { FormBinding, FormPurpose } from './authorization/browser-binding.js';
export { PROMPT_VALUES } from './authorization/reauthentication.js';
export type {
  AuthorizationParameters,
  PushedAuthorizationRequest,
  RequestOutcome,
} from './authorization/request.js';
export { RESPONSE_MODES } from './authorization/request.js';
export {
  createServiceCatalogue,
  type Preset,
  type ServiceCatalogue,
} from './catalogue/service-catalogue.js';
export {
  type Application,
  authMethodsOf,
  ID_TOKEN_ALGORITHMS,
  type IdTokenAlgorithm,
  TOKEN_ENDPOINT_AUTH_METHODS,
  type TokenEndpointAuthMethod,
} from './clients/application.js';
export type { ClientCredentials } from './clients/clients.js';
export {
  type ApplicationProblem,
  ApplicationsError,
  type ConfiguredApplication,
  parseApplications,
} from './clients/parse-applications.js';
export {
  type NewApplication,
  type RegisteredApplication,
  type RegistrationPorts,
  registerApplication,
  revokeApplication,
  rotateClientSecret,
} from './clients/register-application.js';
export {
  AUTHORIZATION_DETAILS_TYPES,
  type AuthorizationDetailsType,
  type Condition,
  claimsOf as claimsOfCondition,
  LIMITS_OF_ACCEPTED_QUERIES,
  queryOf,
  toAuthorizationDetails,
} from './conditions/condition.js';
export { type CredentialStatus, credentialStatusAt } from './credentials/credential-status.js';
export type { Ingestion } from './credentials/credentials.js';
export type { CredentialView, ListRequest } from './credentials/list-credentials.js';
export { type IssuerProblem, IssuersError, parseIssuers } from './credentials/parse-issuers.js';
export { hashCredentialId } from './credentials/signed-credentials.js';
export {
  ERRORS,
  type ErrorContext,
  type ErrorDefinition,
  type ErrorSubcode,
  ServiceError,
} from './errors.js';
export {
  EXPIRED_TOKEN_RETENTION_MS,
  type ExpirySweeperPorts,
  type SweepStep,
  startExpirySweeper,
  TRANSIENT_RETENTION_MS,
} from './expiry-sweeper.js';
export type { ApplicationAccess, GrantListCaller, GrantListRequest, GrantView } from './grants/grants.js';
export {
  type GrantRevocationPorts,
  type GrantSelection,
  type RevokedGrants,
  revokeGrants,
} from './grants/revoke-grants.js';
export {
  listStaleGrants,
  SCOPES_WITHDRAWN,
  type StaleGrant,
  type StaleGrantPorts,
} from './grants/stale-grants.js';
export type { UserToken } from './grants/user-token.js';
export { getCredentialKey } from './keys/credential-key.js';
export {
  ensureSigningKeys,
  ID_TOKEN_LIFETIME_SECONDS,
  JWKS_CACHE_SECONDS,
  rotateSigningKeys,
  type SigningKey,
  signingKeyAt,
} from './keys/signing-keys.js';
export type { LearnedFact } from './ledger/learned-fact.js';
export {
  type ApplicationLedger,
  inferredQuery,
  type LearnedAnswer,
  type LearnedValue,
} from './ledger/ledger.js';
export { createLedgerWriter, type LedgerWriter, parseFact } from './ledger/ledger-recorder.js';
export type { Page } from './paging.js';
export { isEmailAddress } from './people/claimed-person.js';
export { EVM_ADDRESS_FORM, parseEvmAddress } from './people/evm-address.js';
export type { ExpectedAssertion, ExternalSignInResult } from './people/external-sign-in.js';
export type { LogoutDestination, LogoutParameters, LogoutRequest } from './people/logout-request.js';
export {
  type ConfiguredProvider,
  type CredentialFile,
  parseSignInProviders,
  type SignInProviderProblem,
  SignInProvidersError,
} from './people/parse-sign-in-providers.js';
export type { Person } from './people/people.js';
export { type PersonSelector, parseIdentifier, toSelector } from './people/people.js';
export {
  createPersonalData,
  type ErasedPerson,
  type LearnedEntry,
  type PersonalData,
  type PersonalDataContext,
} from './people/personal-data.js';
export type {
  ProviderChoice,
  ProviderSignInRequest,
  ProviderSignInResponse,
  ProviderSignInResult,
} from './people/provider-sign-in.js';
export type { OpenedSession, Session, SignedIn, SignInEvent } from './people/sessions.js';
export type {
  Clock,
  Digest,
  EncryptionKey,
  PalmVerifier,
  Ports,
  Random,
  SetImmediate,
  Signer,
  SignIn,
  Timer,
  ValueCipher,
} from './ports/ports.js';
export {
  type Assurance,
  type ExpectedResponse,
  type LinkIdentifier,
  type PersonClaims,
  type ProviderIdentity,
  type ProviderOutcome,
  type ProviderRequest,
  ProviderUnavailable,
  type SignInProvider,
  type SignInProviderSettings,
} from './ports/sign-in-provider.js';
export type { DirectGrant, PresentedToken, PushedRequest } from './ports/store/authorization-store.js';
export type {
  ActiveGrant,
  AudienceCandidates,
  AudienceQuery,
  GrantedScopes,
  GrantHolderQuery,
  GrantQuery,
  GrantRecord,
  GrantSelector,
  GrantStatus,
  SubjectIndex,
} from './ports/store/grant-store.js';
export type { LearnedRecord, LearnedSelector } from './ports/store/ledger-store.js';
export type { CredentialRecord, PersonColumn } from './ports/store/registry-store.js';
export {
  type BucketUsage,
  type Seed,
  type Store,
  type StoreEncryption,
  StoreUnavailable,
  type UsageReservation,
} from './ports/store/store.js';
export type {
  ReadCacheStatistics,
  StoreObserver,
  StoreOperation,
} from './ports/store/store-observer.js';
export type {
  Assertion,
  AssertionVerifier,
  ClaimMapping,
  ClientAssertion,
  ClientAssertionVerifier,
  CredentialExpectations,
  CredentialFormat,
  CredentialRejectionReason,
  CredentialVerifier,
  DpopVerifier,
  ExpectedProof,
  KeyBindingChallenge,
  ProofOutcome,
  PublicJwk,
  TrustedIssuer,
  VerificationOutcome,
  VerifiedCredential,
} from './ports/verifiers.js';
export type { QueryCacheStatistics } from './queries/compiled-query-cache.js';
export { allowedEvidence, type EvaluationRequest } from './queries/evidence-level.js';
export type { PresetOutcome, PresetResult } from './queries/presets.js';
export type { Attempt, AttemptLimiter } from './rate-limits/attempt-limiter.js';
export {
  RATE_LIMIT_NAMES,
  type RateLimiter,
  type RateLimitName,
  type RateLimitStatus,
  type RateLimitSyncPorts,
  startRateLimitSync,
} from './rate-limits/rate-limiter.js';
export { createWorkMeter, type StepHooks, type WorkMeter } from './rate-limits/work-meter.js';
export {
  isSandboxApplication,
  SANDBOX_ADMINISTRATOR_TOKEN,
  SANDBOX_BASIC_CLIENT_ID,
  SANDBOX_CLIENT_SECRET,
  SANDBOX_CONDITIONS_CLIENT_ID,
  SANDBOX_CONFIDENTIAL_CLIENT_ID,
  SANDBOX_PKCE_CLIENT_ID,
  SANDBOX_POST_CLIENT_ID,
  SANDBOX_PUBLIC_CLIENT_ID,
  SANDBOX_SIGNING_CLIENT_ID,
  SANDBOX_SIGNING_KEY,
} from './sandbox/applications.js';
export { SandboxError } from './sandbox/sandbox.js';
export { isCoveredBy, parseScopes } from './scopes/scopes.js';
export {
  type AdministratorApproval,
  createService,
  prepareService,
  type Service,
  type ServiceBuilder,
  type ServiceOptions,
  type ServicePorts,
} from './service.js';
export {
  createSettings,
  type Environment,
  type EnvironmentName,
  PRODUCTION,
  SANDBOX,
  type Settings,
} from './settings.js';
export type { PresentedProof } from './tokens/dpop-proof.js';
export type { ActiveToken } from './tokens/introspect.js';
export type { IssuedTokens, TokenType } from './tokens/issued-tokens.js';
export { isTokenShaped } from './tokens/opaque-token.js';
export type { RevocationRequest, RevocationResult } from './tokens/revoke.js';
export type { Grant } from './tokens/tokens.js';
export type { UserInfo } from './user-info.js';
