/** Key binding of an SD-JWT (RFC 9901 §4.3, §7.3): the holder signs the challenge of the verifier and the presented text. */
import { createHash } from 'node:crypto';
import type { KeyBindingChallenge, PublicJwk } from '../../service/index.js';
import { type CompactJws, isObject, type Members } from '../compact-jws.js';
import { CredentialRefusal } from './refusal.js';
import { readSignedText, verifySignature } from './signed-text.js';

/** How old a proof may be, and how far the clock of the holder may be ahead of ours. */
const MAX_AGE_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 60;
const MS_PER_SECOND = 1_000;

/** What the holder presented. */
export interface KeyBinding {
  /** The SD-JWT up to and including its last tilde. */
  readonly sdJwt: string;
  /** What follows that tilde. */
  readonly proof: string;
  /** `cnf` of the payload that the issuer signed. */
  readonly confirmation: unknown;
  /** The hash function of the SD-JWT, as `node:crypto` names it. */
  readonly hash: string;
}

/**
 * Verifies the key-binding JWT.
 *
 * @param now - Epoch milliseconds.
 * @throws {CredentialRefusal} `key_binding` unless the key in `cnf` signed this challenge and this SD-JWT within the last minutes.
 * @throws {MalformedJws}
 */
export async function verifyKeyBinding(
  { sdJwt, proof, confirmation, hash }: KeyBinding,
  challenge: KeyBindingChallenge | undefined,
  now: number,
): Promise<void> {
  if (challenge === undefined) {
    throw refuse(
      'With a key-binding JWT, the request must state the `audience` and `nonce` it was made for.',
    );
  }
  if (proof === '') throw refuse('With `audience` and `nonce`, the SD-JWT must end in a key-binding JWT.');
  const key = isObject(confirmation) ? confirmation.jwk : undefined;
  if (!isObject(key)) throw refuse('cnf must hold the public key of the holder as `jwk`.');
  const signed = readSignedText(proof, ['kb+jwt']);
  await assertSignedBy(key, signed);
  const { aud, nonce, iat, sd_hash: sdHash } = signed.payload;
  if (aud !== challenge.audience || nonce !== challenge.nonce) {
    throw refuse(
      'aud and nonce of the key-binding JWT must equal the `audience` and `nonce` of the request.',
    );
  }
  const seconds = now / MS_PER_SECOND;
  if (typeof iat !== 'number' || iat < seconds - MAX_AGE_SECONDS || iat > seconds + CLOCK_TOLERANCE_SECONDS) {
    throw refuse(`iat of the key-binding JWT must lie within the last ${MAX_AGE_SECONDS} seconds.`);
  }
  if (sdHash !== createHash(hash).update(sdJwt).digest('base64url')) {
    throw refuse('sd_hash of the key-binding JWT must be the hash of the SD-JWT before it.');
  }
}

/** `cnf` names one key: a `kid` on either side chooses nothing. */
async function assertSignedBy({ kid: _of, ...key }: Members, { text, header }: CompactJws): Promise<void> {
  const { kid: _by, ...unnamed } = header;
  try {
    // Whether it is a key that fits the algorithm is checked where it is used.
    await verifySignature({ text, header: unnamed }, { issuer: 'cnf', keys: [key as unknown as PublicJwk] });
  } catch (error) {
    if (!(error instanceof CredentialRefusal)) throw error;
    throw refuse('The key-binding JWT must be signed with the key in cnf.');
  }
}

function refuse(message: string): CredentialRefusal {
  return new CredentialRefusal('key_binding', message);
}
