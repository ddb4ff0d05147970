/** Palm verification: whose palm it was, and whether it still counts (V6). */
import type { User } from '../users/user.js';
import type { Authorization } from './authorization.js';

/** Whether this person's palm was verified for an authorization, and the person has not signed out since. */
export function isPalmVerified(
  { palmVerifiedAt, palmVerifiedPersonId }: Authorization,
  { id, signedOutAt }: User,
): boolean {
  if (palmVerifiedAt === undefined || palmVerifiedPersonId !== id) return false;
  return signedOutAt === undefined || palmVerifiedAt > signedOutAt;
}
