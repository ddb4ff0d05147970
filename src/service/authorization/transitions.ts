/** What may happen to an authorization in each of its states: one table, which the store's statements carry out (V3). */
import { AUTHORIZATION_STATUSES, type AuthorizationStatus } from './authorization.js';

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
