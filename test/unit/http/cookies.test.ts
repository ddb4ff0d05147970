/** How our cookies are given and taken (S66, D14). */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { cookieHeader, expiredCookieHeader, readCookie } from '../../../src/http/browser.js';
import type { Service } from '../../../src/service/index.js';

const at = (issuer: string) => ({ settings: { issuer } }) as Service;
const sending = (cookie?: string) => ({ headers: { cookie } }) as IncomingMessage;

describe('a cookie', () => {
  // S66, D14
  it('is tied to this host by its name, and to https, wherever https is', () => {
    expect(cookieHeader('person', 'x', at('https://id.example/v2'))).toEqual({
      'Set-Cookie': '__Host-proviso-person=x; Path=/; HttpOnly; SameSite=Lax; Secure',
    });
    expect(cookieHeader('browser', 'x', at('https://id.example/v2'))).toEqual({
      'Set-Cookie': '__Host-proviso=x; Path=/; HttpOnly; SameSite=Lax; Secure',
    });
  });

  // D14
  it('has no prefix on plain http, where browsers would drop it', () => {
    expect(cookieHeader('person', 'x', at('http://127.0.0.1:8080/v2'))).toEqual({
      'Set-Cookie': 'proviso-person=x; Path=/; HttpOnly; SameSite=Lax',
    });
  });

  // S66
  it('is forgotten with the attributes with which it was given', () => {
    expect(expiredCookieHeader('person', at('https://id.example/v2'))).toEqual({
      'Set-Cookie': '__Host-proviso-person=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    });
  });

  it.each([
    ['alone', 'proviso-person=a', 'a'],
    ['among others', 'x=1; proviso-person=a:b%20; proviso=c', 'a:b%20'],
    ['twice, so that nobody knows whose it is', 'proviso-person=a; proviso-person=b', undefined],
    ['as a part of another name', 'xproviso-person=a', undefined],
    ['not at all', undefined, undefined],
  ])('is read where it stands %s', (_where, cookie, expected) => {
    const context = { request: sending(cookie), service: at('http://127.0.0.1/v2') };
    expect(readCookie(context, 'person')).toBe(expected);
  });
});
