/** The transitions of an authorization: every combination of status and trigger (V3). */
import { describe, expect, it } from 'vitest';
import {
  AUTHORIZATION_STATUSES,
  type AuthorizationStatus,
  statesAllowing,
  TRIGGERS,
  type Trigger,
  transition,
} from '../../../src/service/authorization/authorization.js';

/** The expected status after each trigger; `–` if the transition is not allowed. */
const EXPECTED: Readonly<Record<AuthorizationStatus, Readonly<Record<Trigger, AuthorizationStatus | '–'>>>> =
  {
    pending_admin: {
      approve: 'approved',
      deny: 'denied',
      request_expired: 'denied',
      redeem: '–',
      code_expired: '–',
      revoke: '–',
      replay: '–',
      restore: '–',
    },
    approved: {
      approve: '–',
      deny: '–',
      request_expired: '–',
      redeem: 'consumed',
      code_expired: 'revoked',
      revoke: 'revoked',
      replay: 'revoked',
      restore: '–',
    },
    consumed: {
      approve: '–',
      deny: '–',
      request_expired: '–',
      redeem: '–',
      code_expired: '–',
      revoke: 'revoked',
      replay: 'revoked',
      restore: '–',
    },
    denied: {
      approve: '–',
      deny: '–',
      request_expired: '–',
      redeem: '–',
      code_expired: '–',
      revoke: '–',
      replay: '–',
      restore: '–',
    },
    revoked: {
      approve: '–',
      deny: '–',
      request_expired: '–',
      redeem: '–',
      code_expired: '–',
      revoke: '–',
      replay: '–',
      restore: 'consumed',
    },
  };

describe.each(AUTHORIZATION_STATUSES)('an authorization that is %s', (from) => {
  // V3
  it.each(TRIGGERS)('has the expected status after the trigger %s', (trigger) => {
    const expected = EXPECTED[from][trigger];
    expect(transition(from, trigger) ?? '–').toBe(expected);
    expect(statesAllowing(trigger).includes(from)).toBe(expected !== '–');
  });
});
