/** A person's session, as its cookie keeps it: whose it is, until when, and that nobody else can make one (S66). */
import { describe, expect, it } from 'vitest';
import { openSession, readSession } from '../../../../src/service/people/session.js';
import { createSettings } from '../../../../src/service/settings.js';
import { systemDigest } from '../../../../src/system/digest.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createSeededRandom } from '../../../support/seeded-random.js';

const AT = 1_780_000_000_000;
const LIFETIME_MS = 8 * 3_600_000;

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
  it.each(['person-ada', 'a:b', 'ü"; Path=/x, ñ', '🌍'.repeat(60)])('says whose it is: %j', (userId) => {
    const context = contextOf();
    const text = openSession(userId, context);
    expect(text).toMatch(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,4000}$/);
    expect(readSession(text, context)).toEqual({ userId, startedAt: AT, expiresAt: AT + LIFETIME_MS });
  });

  it('is another one at each sign-in (S66)', () => {
    const context = contextOf();
    expect(openSession('ada', context)).not.toBe(openSession('ada', context));
  });

  it('is over at the millisecond', () => {
    const context = contextOf();
    const text = openSession('ada', context);
    context.clock.moveTo(AT + LIFETIME_MS - 1);
    expect(readSession(text, context)).toBeDefined();
    context.clock.moveTo(AT + LIFETIME_MS);
    expect(readSession(text, context)).toBeUndefined();
  });

  it('is nothing once a letter of it was changed, and nothing under another key', () => {
    const context = contextOf();
    const text = openSession('person-ada', context);
    for (let index = 0; index < text.length; index += 1) {
      const changed = `${text.slice(0, index)}${text[index] === '1' ? '2' : '1'}${text.slice(index + 1)}`;
      expect(readSession(changed, context)).toBeUndefined();
    }
    expect(readSession(text, contextOf('other'))).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    ':::',
    'x'.repeat(5_000),
    '1:2:3:4',
    `${AT}:${'a'.repeat(22)}:%ff:${'a'.repeat(43)}`,
  ])('is not %j, which is told without an error', (text) => {
    expect(readSession(text, contextOf())).toBeUndefined();
  });
});
