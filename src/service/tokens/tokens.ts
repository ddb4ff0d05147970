/** Tokens: issuance, authentication, introspection and revocation (V7–V11). */
import type { EvidenceLevel } from '../../engine/index.js';
import { isInForce } from '../authorization/authorization.js';
import { type Condition, effectiveConditions } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { createCodeRedemption } from '../grants/authorization-code.js';
import { createTokenRefresh } from '../grants/refresh-token.js';
import { createUserTokens } from '../grants/user-token.js';
import { publishedKeysAt } from '../keys/signing-keys.js';
import type { PresentedToken } from '../ports/store/authorization-store.js';
import { grantSandboxToken } from '../sandbox/sandbox.js';
import { effectiveScopes } from '../scopes/scopes.js';
import { assertPossession, createDpopNonce, type PresentedProof, verifyProof } from './dpop-proof.js';
import { createIntrospection } from './introspect.js';
import { isTokenShaped } from './opaque-token.js';
import { createRevocation } from './revoke.js';

/** The grant of an active access token, with its effective scopes and conditions. */
export interface Grant
  extends Pick<
    PresentedToken,
    'issuedAt' | 'authorizationId' | 'userId' | 'clientId' | 'organizationId' | 'grantedScopes'
  > {
  readonly conditions: readonly Condition[];
  /** The most evidence that results for the application contain. */
  readonly maxEvidence: EvidenceLevel;
}

/** Creates the use cases of tokens. */
export function createTokens(context: ServiceContext) {
  return {
    ...createCodeRedemption(context),
    ...createTokenRefresh(context),
    ...createUserTokens(context),
    ...createIntrospection(context),
    ...createRevocation(context),

    /**
     * Gets the grant of an access token, in one look-up (V7, V11, S136, S148).
     *
     * @param proof - Required for a bound token, and not allowed for others (RFC 9449 §7).
     * @throws {ServiceError} `token_expired`; `token_invalid` for a token that is unknown, malformed or revoked, or that has no scopes and conditions left
     *   (the error does not distinguish these), or that is presented with the wrong scheme; `token_proof_invalid`, `token_nonce_required`.
     */
    async authenticate(token: string, proof?: PresentedProof): Promise<Grant> {
      return await getGrantOfToken(token, context, proof);
    },

    /**
     * Checks the administrator's token against its hash (S147).
     *
     * @throws {ServiceError} `access_denied` for an active Bearer access token, which is never sufficient; otherwise `token_invalid` or
     *   `token_expired`.
     */
    async assertAdministrator(token: string): Promise<void> {
      const { administratorTokenHash, digest } = context;
      const tokenHash = digest.sha256(token);
      if (administratorTokenHash !== undefined && digest.equal(tokenHash, administratorTokenHash)) return;
      await getGrantOfToken(token, context);
      throw new ServiceError('access_denied');
    },

    /**
     * Verifies the DPoP proof of a token request and marks it as used; returns the thumbprint of its key.
     *
     * @throws {ServiceError} `invalid_dpop_proof`, `use_dpop_nonce`
     */
    async verifyDpopProof(proof: PresentedProof): Promise<string> {
      return await verifyProof(proof, context);
    },

    /** Creates a nonce for the next DPoP proof; `undefined` if proofs need no nonce. */
    createDpopNonce(): string | undefined {
      return context.dpopNonceRequired ? createDpopNonce(context) : undefined;
    },

    /** Lists the public keys of the JWKS: those that sign, will sign, or signed ID tokens that have not expired (V10). */
    async listPublicKeys(): Promise<readonly Readonly<Record<string, unknown>>[]> {
      const keys = await context.store.listSigningKeys();
      return publishedKeysAt(keys, context.clock.now()).map(context.signer.toPublicJwk);
    },

    /**
     * Issues a token for a sample person of the sandbox.
     *
     * @throws {SandboxError} For an unknown person or scope, without a scope, or if the application of the sandbox is missing or revoked.
     */
    async issueSandboxToken(userName: string, scopes: readonly string[]): Promise<string> {
      return await grantSandboxToken(userName, scopes, context);
    },
  };
}

async function getGrantOfToken(
  token: string,
  context: ServiceContext,
  proof?: PresentedProof,
): Promise<Grant> {
  const { store, digest, clock, environment } = context;
  if (!isTokenShaped(token)) throw new ServiceError('token_invalid');
  const tokenHash = digest.sha256(token);
  const presented = await store.findAccessToken(tokenHash);
  if (presented === undefined || presented.revoked) throw new ServiceError('token_invalid');
  const now = clock.now();
  if (!isInForce(presented.authorization, now)) throw new ServiceError('token_invalid');
  if (presented.expiresAt <= now) throw new ServiceError('token_expired');
  const { clientId, applicationScopes: scopes, applicationDetailsTypes = [], jkt } = presented;
  const grantedScopes = effectiveScopes(presented.grantedScopes, { clientId, scopes }, environment);
  const conditions = effectiveConditions(presented.grantedConditions, {
    authorizationDetailsTypes: applicationDetailsTypes,
  });
  if (grantedScopes.length === 0 && conditions.length === 0) throw new ServiceError('token_invalid');
  if (jkt !== undefined || proof !== undefined) await assertPossession(tokenHash, jkt, proof, context);
  const { issuedAt, authorizationId, userId, organizationId, maxEvidence = 'full' } = presented;
  // Written out: rest and spread syntax take 20 times as long, and every request needs this object.
  return {
    issuedAt,
    authorizationId,
    userId,
    clientId,
    organizationId,
    grantedScopes,
    conditions,
    maxEvidence,
  };
}
