/** Our cookies: which names they have, and whom browsers give them to (S66, D14). */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../service/index.js';

/** `browser` for what a browser began, `person` for who is signed in at it. */
export type CookieKind = 'browser' | 'person';

const SUFFIXES: Readonly<Record<CookieKind, string>> = { browser: '', person: '-person' };

/** What a cookie of ours holds; `undefined` where the browser sends none, or more than one. */
export function readCookie(request: IncomingMessage, kind: CookieKind, service: Service): string | undefined {
  const name = cookieName(kind, service);
  const cookies = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(`${name}=`));
  const [cookie] = cookies;
  return cookies.length === 1 && cookie !== undefined ? cookie.slice(name.length + 1) : undefined;
}

/** The header that has a browser keep a cookie, for this host and its own pages alone, hidden from scripts. */
export function cookieHeader(kind: CookieKind, value: string, service: Service): Headers {
  return { 'Set-Cookie': `${cookieName(kind, service)}=${value}; ${attributes(service)}` };
}

/** The header that has a browser forget a cookie. */
export function forgottenCookieHeader(kind: CookieKind, service: Service): Headers {
  return { 'Set-Cookie': `${cookieName(kind, service)}=; ${attributes(service)}; Max-Age=0` };
}

type Headers = Readonly<Record<string, string>>;

function attributes(service: Service): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure(service) ? '; Secure' : ''}`;
}

/** A prefix that browsers tie to https; plain http is for loopback only, where they would drop such a cookie (D14). */
function cookieName(kind: CookieKind, service: Service): string {
  return `${isSecure(service) ? '__Host-' : ''}proviso${SUFFIXES[kind]}`;
}

function isSecure({ settings }: Service): boolean {
  return settings.issuer.startsWith('https:');
}
