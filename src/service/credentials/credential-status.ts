/** The status of a credential. */
import { type Credential, isActiveAt } from '../../engine/index.js';

/** Status of a credential at an instant (L10). */
export type CredentialStatus = 'pending' | 'active' | 'expired' | 'revoked';

/** Returns the status of a credential at an instant. Never throws. */
export function credentialStatusAt(credential: Credential, now: number): CredentialStatus {
  const { issuedAt, revokedAt } = credential;
  if (revokedAt !== undefined && revokedAt <= now) return 'revoked';
  if (isActiveAt(credential, now)) return 'active';
  return issuedAt > now ? 'pending' : 'expired';
}
