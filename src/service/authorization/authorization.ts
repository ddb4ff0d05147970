/** Authorizations: OAuth requests and the grants that they become, their states and the transitions between these (V3). */
import type { Condition } from '../conditions/condition.js';

export const AUTHORIZATION_STATUSES = ['pending_admin', 'approved', 'denied', 'revoked', 'consumed'] as const;

export type AuthorizationStatus = (typeof AUTHORIZATION_STATUSES)[number];

/** Instants are epoch milliseconds. */
export interface Authorization {
  readonly id: string;
  readonly clientId: string;
  /** The person whose claims the grant covers; absent before approval. */
  readonly userId?: string;
  readonly status: AuthorizationStatus;
  readonly redirectUri: string;
  /** How the response is sent to the redirect URI. Default: as query parameters. */
  readonly responseMode?: 'form_post';
  readonly requestedScopes: readonly string[];
  readonly grantedScopes?: readonly string[];
  /** Absent if no conditions were requested. */
  readonly requestedConditions?: readonly Condition[];
  /** A subset of the requested conditions; absent if none were granted. */
  readonly grantedConditions?: readonly Condition[];
  /** Returned unchanged to the client (RFC 6749 §4.1.2). */
  readonly state?: string;
  /** Returned in the ID token (OpenID Connect Core §2). */
  readonly nonce?: string;
  readonly loginHint?: string;
  /** S256 challenge of the code (RFC 7636). Absent for grants without a code. */
  readonly codeChallenge?: string;
  readonly codeExpiresAt?: number;
  /** Thumbprint of the key that the code is bound to (RFC 9449 §10); absent for an unbound code. */
  readonly dpopJkt?: string;
  /** SHA-256 of the binding key of the browser that started the authorization; the consent page is shown to that browser only (S60). */
  readonly browserHash?: string;
  readonly palmVerifiedAt?: number;
  /** The person who was verified by palm. */
  readonly palmVerifiedPersonId?: string;
  /** The languages of the pages that the request prefers, as BCP 47 tags separated by spaces (OpenID Connect Core §3.1.2.1). */
  readonly uiLocales?: string;
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
  /** When the person signed in: `auth_time` of the ID token. Absent if that is unknown. */
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
 * A trigger without an entry for the state is rejected and changes nothing. `revoked` is final, except that a person may restore a grant shortly
 * after withdrawing it, unless it was revoked for another reason meanwhile.
 */
const TRANSITIONS: Readonly<Record<AuthorizationStatus, Row>> = {
  pending_admin: { approve: 'approved', deny: 'denied', request_expired: 'denied' },
  approved: { redeem: 'consumed', code_expired: 'revoked', revoke: 'revoked', replay: 'revoked' },
  consumed: { revoke: 'revoked', replay: 'revoked' },
  denied: {},
  revoked: { restore: 'consumed' },
};

/** Returns the next state; `undefined` if the trigger is not allowed (`invalid_transition`). Never throws. */
export function transition(from: AuthorizationStatus, trigger: Trigger): AuthorizationStatus | undefined {
  return TRANSITIONS[from][trigger];
}

/** Lists the states in which a trigger is allowed, for compare-and-set statements. Never throws. */
export function statesAllowing(trigger: Trigger): readonly AuthorizationStatus[] {
  return AUTHORIZATION_STATUSES.filter((status) => TRANSITIONS[status][trigger] !== undefined);
}

/** The states in which a grant is in force, unless its code expired unredeemed. */
export const STATES_IN_FORCE = statesAllowing('revoke');
