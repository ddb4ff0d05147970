/** The authorization record: a request of an application to a person, in its states, and the transitions between them (V3). */
/** The authorization record: an agreement between a person and an application, with its states (V3). */

export const AUTHORIZATION_STATUSES = ['pending_admin', 'approved', 'denied', 'revoked', 'consumed'] as const;

export type AuthorizationStatus = (typeof AUTHORIZATION_STATUSES)[number];

/** Instants are epoch milliseconds. */
export interface Authorization {
  readonly id: string;
  readonly clientId: string;
  /** Who agreed; absent until somebody did. */
  readonly userId?: string;
  readonly status: AuthorizationStatus;
  readonly redirectUri: string;
  /** How the response reaches the redirect URI: as parameters of its query where absent. */
  readonly responseMode?: 'form_post';
  readonly requestedScopes: readonly string[];
  readonly grantedScopes?: readonly string[];
  /** Handed back untouched (RFC 6749 §4.1.2). */
  readonly state?: string;
  /** Handed back in the ID token (OpenID Connect Core §2). */
  readonly nonce?: string;
  readonly loginHint?: string;
  /** S256 of the verifier that redeeming will need (RFC 7636). Absent where no code was ever to be redeemed. */
  readonly codeChallenge?: string;
  readonly codeExpiresAt?: number;
  /** The thumbprint of the key that redeeming will need (RFC 9449 §10); absent where any will do. */
  readonly dpopJkt?: string;
  /** SHA-256 of what the browser that began it holds; its page serves no other (S60). */
  readonly browserHash?: string;
  readonly palmVerifiedAt?: number;
  /** Whose palm was verified. */
  readonly palmVerifiedPersonId?: string;
  /** The `prompt` values of the request, separated by spaces (OpenID Connect Core §3.1.2.1). */
  readonly prompt?: string;
  /** The `max_age` of the request. */
  readonly maxAgeSeconds?: number;
  /** The person must have signed in after this instant to approve. */
  readonly authenticatedAfter?: number;
  readonly createdAt: number;
  /** The first instant at which it can no longer be approved. */
  readonly requestExpiresAt: number;
  readonly updatedAt: number;
  readonly approvedAt?: number;
  readonly revokedAt?: number;
  readonly lastTokenIssuedAt?: number;
  /** When the person who approved had signed in: `auth_time` of the ID token. Absent where that is unknown. */
  readonly authenticatedAt?: number;
}

/**
 * Whether an authorization is in force at an instant: approved, not revoked, and its code was redeemed or still can be. An authorization
 * whose code expires unredeemed ends at that instant, and so do the tokens that were issued under it.
 */
export function isInForce(
  { status, codeExpiresAt }: Pick<Authorization, 'status' | 'codeExpiresAt'>,
  at: number,
): boolean {
  return (
    status === 'consumed' || (status === 'approved' && codeExpiresAt !== undefined && codeExpiresAt > at)
  );
}

export const TRIGGERS = [
  'approve',
  'deny',
  'request_expired',
  'redeem',
  'code_expired',
  'revoke',
  'replay',
  'restore',
] as const;

export type Trigger = (typeof TRIGGERS)[number];

type Row = Readonly<Partial<Record<Trigger, AuthorizationStatus>>>;

/**
 * Any pair that does not stand here is refused and changes nothing. What is revoked stays so, but for a grant that its person ended a
 * moment ago and that nobody else has ended since: to them alone, and for so long, the store lets it come back.
 */
const TRANSITIONS: Readonly<Record<AuthorizationStatus, Row>> = {
  pending_admin: { approve: 'approved', deny: 'denied', request_expired: 'denied' },
  approved: { redeem: 'consumed', code_expired: 'revoked', revoke: 'revoked', replay: 'revoked' },
  consumed: { revoke: 'revoked', replay: 'revoked' },
  denied: {},
  revoked: { restore: 'consumed' },
};

/** Where a trigger leads from a state; `undefined` where it is not allowed there (`invalid_transition`). Never throws. */
export function transition(from: AuthorizationStatus, trigger: Trigger): AuthorizationStatus | undefined {
  return TRANSITIONS[from][trigger];
}

/** The states in which a trigger is allowed: what a compare-and-set compares with. Never throws. */
export function statesAllowing(trigger: Trigger): readonly AuthorizationStatus[] {
  return AUTHORIZATION_STATUSES.filter((status) => TRANSITIONS[status][trigger] !== undefined);
}

/** The states in which a grant is in force, before the lifetime of its code is looked at. */
export const STATES_IN_FORCE = statesAllowing('revoke');
