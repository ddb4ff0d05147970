/** What ties a browser to the authorizations that it began: a cookie, and a proof in each form (S60, S65, S66, D14). */
import type { IncomingMessage } from 'node:http';
import { type Service, ServiceError } from '../service/index.js';

const KEY = /^[A-Za-z0-9_-]{43}$/;

/** A browser, known by what its cookie holds. */
export interface Browser {
  /** 256 bits that only this browser and its cookie hold. */
  readonly key: string;
  /** Set where the browser was not known: gives it the cookie. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The browser that a request comes from; a new one where it brings no cookie of ours. */
export function browserOf(request: IncomingMessage, service: Service): Browser {
  const known = knownBrowser(request, service);
  if (known !== undefined) return { key: known, headers: {} };
  const key = service.createBrowserKey();
  return { key, headers: { 'Set-Cookie': cookie(key, service) } };
}

/** What the browser's cookie holds; `undefined` where it brings none. */
export function knownBrowser(request: IncomingMessage, service: Service): string | undefined {
  const name = cookieName(service);
  const cookies = (request.headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(`${name}=`));
  const [value] = cookies.map((one) => one.slice(name.length + 1));
  return cookies.length === 1 && value !== undefined && KEY.test(value) ? value : undefined;
}

/**
 * Refuses a form that another page made a browser send (RFC 9700 §4.7, S65).
 *
 * @throws {ServiceError} `access_denied`
 */
export function assertSameOrigin(request: IncomingMessage, service: Service): void {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== new URL(service.settings.issuer).origin)
    throw new ServiceError('access_denied');
}

/** A prefix that browsers tie to https; plain http is for loopback only, where they would drop such a cookie (D14). */
function cookieName({ settings }: Service): string {
  return settings.issuer.startsWith('https:') ? '__Host-proviso' : 'proviso';
}

function cookie(key: string, service: Service): string {
  const secure = service.settings.issuer.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(service)}=${key}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
