/** DPoP: tokens bound to a key of the client (RFC 9449, S270–S284). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { type ErrorSubcode, ServiceError } from '../errors.js';

/** The DPoP proof of a request. */
export interface PresentedProof {
  /** Every value of the `DPoP` header; a request must have exactly one. */
  readonly values: readonly string[];
  readonly method: string;
  /** The URL of the request, with the issuer's origin. */
  readonly url: string;
}

/** Dependencies of the verification. */
export type DpopContext = Pick<
  ServiceContext,
  'store' | 'digest' | 'clock' | 'serviceKey' | 'dpopProofs' | 'dpopNonceRequired'
>;

/** The access token that a proof is presented with. */
interface BoundToken {
  readonly tokenHash: string;
  /** The thumbprint of the key that the token is bound to. */
  readonly jkt: string;
}

/** Length of the time slot of a nonce. A nonce is accepted in its slot and in the next one. */
const NONCE_SLOT_MS = 60_000;
/** Allowed clock difference between instances. */
const CLOCK_TOLERANCE_MS = 5_000;
/** A thumbprint: 256 bits in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/** Whether a string has the form of a JWK thumbprint by SHA-256 (RFC 7638). */
export function isThumbprint(text: string): boolean {
  return THUMBPRINT.test(text);
}

/**
 * Verifies a proof and marks it as used.
 *
 * @param token - The access token presented with the proof; absent at the token endpoint.
 * @returns The thumbprint of the key.
 * @throws {ServiceError} `invalid_dpop_proof` or `use_dpop_nonce`; with a token `token_proof_invalid` or `token_nonce_required`.
 */
export async function verifyProof(
  { values, method, url }: PresentedProof,
  context: DpopContext,
  token?: BoundToken,
): Promise<string> {
  const [invalid, nonceRequired]: readonly ErrorSubcode[] =
    token === undefined
      ? (['invalid_dpop_proof', 'use_dpop_nonce'] as const)
      : (['token_proof_invalid', 'token_nonce_required'] as const);
  const rejected = (description: string) => new ServiceError(invalid, {}, { description });
  const { store, digest, clock, serviceKey, dpopProofs, dpopNonceRequired } = context;
  const [text, ...more] = values;
  if (text === undefined || more.length > 0) throw rejected('the request must have exactly one DPoP header');
  const expected = { method, url, ...(token && { accessTokenHash: token.tokenHash }) };
  const proof = await dpopProofs?.verify(text, expected, clock.now());
  if (proof === undefined) throw rejected('DPoP is not supported here');
  if (!proof.accepted) throw rejected(proof.fault);
  const { jkt, id, nonce, expiresAt } = proof;
  if (token !== undefined && token.jkt !== jkt)
    throw rejected('the proof must be signed by the key that the access token is bound to');
  if (dpopNonceRequired && !isCurrentNonce(nonce, context)) throw new ServiceError(nonceRequired);
  const use = digest.hmacSha256(serviceKey.derive('dpop-proofs'), JSON.stringify([jkt, id]));
  if (!(await store.consumeAssertion(use, expiresAt))) throw rejected('each proof must have a new jti');
  return jkt;
}

/**
 * Checks a request with a bound access token, a proof, or both: a bound token requires a proof of its key, and an unbound one must have none.
 *
 * @param jkt - The thumbprint of the key; absent for a token that is not bound.
 * @param proof - Absent if the token is presented as Bearer.
 * @throws {ServiceError} `token_invalid`, `token_proof_invalid`, `token_nonce_required`
 */
export async function assertPossession(
  tokenHash: string,
  jkt: string | undefined,
  proof: PresentedProof | undefined,
  context: DpopContext,
): Promise<void> {
  if (jkt === undefined) throw invalidToken('an access token of type Bearer must be presented as Bearer');
  if (proof === undefined) throw invalidToken('an access token of type DPoP must be presented as DPoP');
  await verifyProof(proof, context, { tokenHash, jkt });
}

/**
 * Checks that a client that must use DPoP sent a proof.
 *
 * @param jkt - The thumbprint of the key of the proof; absent without one.
 * @throws {ServiceError} `invalid_dpop_proof`
 */
export function assertBound({ dpopBoundAccessTokens }: Application, jkt: string | undefined): void {
  if (dpopBoundAccessTokens !== true || jkt !== undefined) return;
  const description = 'this client must send a DPoP proof (dpop_bound_access_tokens)';
  throw new ServiceError('invalid_dpop_proof', {}, { description });
}

/** Creates the current nonce, a MAC over the time. It is not stored. */
export function createDpopNonce(context: Pick<DpopContext, 'digest' | 'clock' | 'serviceKey'>): string {
  return nonceAt(context.clock.now(), context);
}

function isCurrentNonce(nonce: string | undefined, context: DpopContext): boolean {
  if (nonce === undefined) return false;
  const now = context.clock.now();
  // An instance whose clock is ahead may have issued the nonce of the next slot.
  return [now, now - NONCE_SLOT_MS, now + CLOCK_TOLERANCE_MS].some((at) =>
    context.digest.equal(nonce, nonceAt(at, context)),
  );
}

function nonceAt(at: number, { digest, serviceKey }: Pick<DpopContext, 'digest' | 'serviceKey'>): string {
  return digest.hmacSha256(serviceKey.derive('dpop-nonces'), String(Math.floor(at / NONCE_SLOT_MS)));
}

function invalidToken(description: string): ServiceError {
  return new ServiceError('token_invalid', {}, { description });
}
