/** Proof that who redeems a code asked for it (RFC 7636): S256 only (V8). */
import type { Digest } from '../ports/ports.js';

/** SHA-256 in base64url: 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a text has the form of an S256 challenge (RFC 7636 §4.2, S53). Never throws. */
export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether a text has the form of a verifier (RFC 7636 §4.1, S85). Never throws. */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export function toCodeChallenge(verifier: string, digest: Digest): string {
  return digest.sha256(verifier);
}
