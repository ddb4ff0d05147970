/** A credential: what an issuer attested of a subject, and when that speaks (L10). */
import type { JsonValue } from './json-value.js';

/** One credential of a subject. Instants are epoch milliseconds. */
export interface Credential {
  readonly id: string;
  /** Who attested it, as shown in evidence: an issuer's name. */
  readonly source: string;
  readonly issuedAt: number;
  /** The first instant at which it no longer speaks; absent where it does not expire. */
  readonly expiresAt?: number;
  /** The first instant at which it is revoked; absent where it is not. */
  readonly revokedAt?: number;
  /** Claim path → value. Own members only. */
  readonly claims: { readonly [path: string]: JsonValue };
}

/** Whether a credential speaks at an instant: `issuedAt ≤ at < expiresAt`, and not revoked by then (L10). */
export function isActiveAt(credential: Credential, at: number): boolean {
  return (
    credential.issuedAt <= at &&
    (credential.expiresAt === undefined || at < credential.expiresAt) &&
    (credential.revokedAt === undefined || at < credential.revokedAt)
  );
}
