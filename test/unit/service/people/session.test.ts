/** Session tokens: person, lifetime, authentication, and protection against forgery (S66). */
import { describe, expect, it } from 'vitest';
import {
  isSignedOut,
  openSession,
  readSession,
  signOutInstant,
} from '../../../../src/service/people/sessions.js';
import { createSettings } from '../../../../src/service/settings.js';
import { systemDigest } from '../../../../src/system/node-ports.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createSeededRandom } from '../../../support/seeded-random.js';

const AT = 1_780_000_000_000;
const LIFETIME_MS = 8 * 3_600_000;
const ADA = { id: 'person-ada' };

function contextOf(sessionKey = 'key') {
  return {
    clock: createFixedClock(AT),
    random: createSeededRandom('session'),
    digest: systemDigest,
    settings: createSettings('https://id.example/v2'),
    sessionKey,
  };
}

describe('a session', () => {
  it.each(['person-ada', 'a:b', 'ü"; Path=/x, ñ', '🌍'.repeat(60)])('names the person %j', (userId) => {
    const context = contextOf();
    const { token, ...session } = openSession({ id: userId }, {}, context);
    expect(token).toMatch(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,4000}$/);
    expect(readSession(token, context)).toEqual(session);
    expect(session).toEqual({ userId, startedAt: AT, expiresAt: AT + LIFETIME_MS });
  });

  it('has the instant of the sign-in and the authorization, if known', () => {
    const context = contextOf();
    const event = { authenticatedAt: AT - 60_000, authorizationId: 'a'.repeat(22) };
    const { token } = openSession(ADA, event, context);
    expect(readSession(token, context)).toMatchObject(event);
  });

  // S66
  it('has a new token at each sign-in', () => {
    const context = contextOf();
    expect(openSession(ADA, {}, context).token).not.toBe(openSession(ADA, {}, context).token);
  });

  it('expires at the exact millisecond', () => {
    const context = contextOf();
    const { token } = openSession(ADA, {}, context);
    context.clock.moveTo(AT + LIFETIME_MS - 1);
    expect(readSession(token, context)).toBeDefined();
    context.clock.moveTo(AT + LIFETIME_MS);
    expect(readSession(token, context)).toBeUndefined();
  });

  it('is invalid if any character is changed, or with another key', () => {
    const context = contextOf();
    const { token } = openSession(ADA, { authenticatedAt: AT, authorizationId: 'x' }, context);
    for (let index = 0; index < token.length; index += 1) {
      const changed = `${token.slice(0, index)}${token[index] === '1' ? '2' : '1'}${token.slice(index + 1)}`;
      expect(readSession(changed, context)).toBeUndefined();
    }
    expect(readSession(token, contextOf('other'))).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    ':::',
    'x'.repeat(5_000),
    '1:2:3:4:5:6',
    `${AT}:::${'a'.repeat(22)}:%ff:${'a'.repeat(43)}`,
  ])('is undefined, without an error, for the malformed token %j', (text) => {
    expect(readSession(text, contextOf())).toBeUndefined();
  });

  it('ends with a sign-out in the same millisecond, after which a new one can start', () => {
    const context = contextOf();
    const before = openSession(ADA, {}, context);
    const signedOut = { ...ADA, signedOutAt: signOutInstant(before, AT) };
    expect(isSignedOut(before, signedOut)).toBe(true);
    const after = openSession(signedOut, {}, context);
    expect([isSignedOut(after, signedOut), readSession(after.token, context)?.userId]).toEqual([
      false,
      ADA.id,
    ]);
    expect(isSignedOut(after, { ...ADA, signedOutAt: signOutInstant(after, AT) })).toBe(true);
  });

  it.each([
    ['4 s ahead', 4_000],
    ['an hour ahead', 3_600_000],
  ])('of an instance whose clock is %s ends with a sign-out from that session', (_title, ahead) => {
    const context = contextOf();
    context.clock.moveTo(AT + ahead);
    const session = openSession(ADA, {}, context);
    expect(isSignedOut(session, { ...ADA, signedOutAt: signOutInstant(session, AT) })).toBe(true);
  });

  it('of an instance whose clock is up to 5 s ahead ends with a sign-out from another session', () => {
    const context = contextOf();
    const session = openSession(ADA, {}, context);
    context.clock.moveTo(AT + 5_000);
    const laterSession = openSession(ADA, {}, context);
    expect(isSignedOut(laterSession, { ...ADA, signedOutAt: signOutInstant(session, AT) })).toBe(true);
  });
});
