/** Setting, expiring and reading the cookies of the service (S66, D14). */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { cookieHeader, expiredCookieHeader, readCookie } from '../../../src/http/browser.js';
import type { Service } from '../../../src/service/index.js';

const at = (issuer: string) => ({ settings: { issuer } }) as Service;
const personCookie = (cookie?: string) =>
  readCookie(
    { request: { headers: { cookie } } as IncomingMessage, service: at('http://127.0.0.1/v2') },
    'person',
  );

describe('a cookie', () => {
  // S66, D14
  it('has the prefix __Host- and the attribute Secure on https', () => {
    expect(cookieHeader('person', 'x', at('https://id.example/v2'))).toEqual({
      'Set-Cookie': '__Host-proviso-person=x; Path=/; HttpOnly; SameSite=Lax; Secure',
    });
    expect(cookieHeader('browser', 'x', at('https://id.example/v2'))).toEqual({
      'Set-Cookie': '__Host-proviso=x; Path=/; HttpOnly; SameSite=Lax; Secure',
    });
  });

  // D14
  it('has no prefix on plain http, where browsers would reject it', () => {
    expect(cookieHeader('person', 'x', at('http://127.0.0.1:8080/v2'))).toEqual({
      'Set-Cookie': 'proviso-person=x; Path=/; HttpOnly; SameSite=Lax',
    });
  });

  // S66
  it('expires with the same attributes as it was set with', () => {
    expect(expiredCookieHeader('person', at('https://id.example/v2'))).toEqual({
      'Set-Cookie': '__Host-proviso-person=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    });
  });

  it.each([
    ['alone', 'proviso-person=a', 'a'],
    ['among others', 'x=1; proviso-person=a:b%20; proviso=c', 'a:b%20'],
  ])('is read if it occurs %s', (_title, cookie, expected) => {
    expect(personCookie(cookie)).toBe(expected);
  });

  it.each([
    ['occurs twice, which is ambiguous', 'proviso-person=a; proviso-person=b'],
    ['is only the suffix of another name', 'xproviso-person=a'],
    ['is absent', undefined],
  ])('has no value if it %s', (_title, cookie) => {
    expect(personCookie(cookie)).toBeUndefined();
  });
});
