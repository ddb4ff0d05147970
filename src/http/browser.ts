/** Ties a browser, by its cookies, to the authorizations that it began and to the person signed in at it (S60, S65, S66, D14). */

import {
  type AuthorizationDetail,
  type OpenedSession,
  type Service,
  ServiceError,
} from '../service/index.js';
import { readForm } from './parameters/body.js';
import type { Headers, RequestContext } from './request-context.js';
import type { RouteResponse } from './routes/route.js';

const BINDING = /^[A-Za-z0-9_-]{43}$/;

/** A browser, known by what its cookie holds. */
export interface Browser {
  /** 256 bits that only this browser and its cookie hold. */
  readonly binding: string;
  /** Set where the browser was not known: gives it the cookie. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Who is signed in at a browser. */
export interface SignedInPerson extends OpenedSession {
  readonly browserBinding: string;
}

/** The browser that a request comes from; a new one where it brings no cookie of ours. */
export function getOrCreateBrowser(context: RequestContext): Browser {
  const { service } = context;
  const known = findBrowserBinding(context);
  if (known !== undefined) return { binding: known, headers: {} };
  const binding = service.sessions.createBrowserKey();
  return { binding, headers: cookieHeader('browser', binding, service) };
}

/** What the browser's cookie holds; `undefined` where it brings none. */
export function findBrowserBinding(context: RequestContext): string | undefined {
  const value = readCookie(context, 'browser');
  return value !== undefined && BINDING.test(value) ? value : undefined;
}

/** Who is signed in at a browser that we know; `undefined` where nobody is. */
export async function findSignedInPerson(context: RequestContext): Promise<SignedInPerson | undefined> {
  const browserBinding = findBrowserBinding(context);
  if (browserBinding === undefined) return undefined;
  const token = readCookie(context, 'person');
  const session = await context.service.sessions.find(token);
  return session && token !== undefined ? { ...session, token, browserBinding } : undefined;
}

/** Returns an authorization for the browser that began it; `undefined` where it is unknown or another browser's (S60). */
export async function findBoundAuthorization(
  browserBinding: string | undefined,
  id: string,
  service: Service,
): Promise<AuthorizationDetail | undefined> {
  if (browserBinding === undefined || id === '') return undefined;
  const detail = await service.authorizations.get(id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.subcode === 'not_found') return undefined;
    throw error;
  });
  return detail !== undefined && service.authorizations.isBoundToBrowser(detail.authorization, browserBinding)
    ? detail
    : undefined;
}

/**
 * Refuses a form that another page made a browser send (RFC 9700 §4.7, S65).
 *
 * @throws {ServiceError} `access_denied`
 */
export function assertSameOrigin({ request, service }: RequestContext): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const ours = origin === undefined || origin === new URL(service.settings.issuer).origin;
  // Under `Referrer-Policy: no-referrer`, same-origin forms send `Origin: null`; `Sec-Fetch-Site` shows that they are ours.
  const ourOwnForm = origin === 'null' && site === 'same-origin';
  const foreign = site !== undefined && site !== 'same-origin';
  if (foreign || !(ours || ourOwnForm)) throw new ServiceError('access_denied');
}

/** `browser` for what a browser began, `person` for who is signed in at it. */
export type CookieKind = 'browser' | 'person';

const SUFFIXES: Readonly<Record<CookieKind, string>> = { browser: '', person: '-person' };

/** What a cookie of ours holds; `undefined` where the browser sends none, or more than one. */
export function readCookie(
  { request, service }: Pick<RequestContext, 'request' | 'service'>,
  kind: CookieKind,
): string | undefined {
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
export function expiredCookieHeader(kind: CookieKind, service: Service): Headers {
  return { 'Set-Cookie': `${cookieName(kind, service)}=; ${attributes(service)}; Max-Age=0` };
}

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

/**
 * Sends the browser on to GET with the same parameters. A form of the client's site comes without our cookies (`SameSite=Lax`), and
 * answering it with new ones would end the person's session at this browser; the navigation that follows the 303 brings them.
 *
 * @param path - Of the route.
 * @throws {ServiceError} `url_too_large` where the parameters do not fit into a URL; and as {@link readForm} does.
 */
export async function redirectToGet(context: RequestContext, path: string): Promise<RouteResponse> {
  const target = `${path}?${new URLSearchParams([...(await readForm(context))])}`;
  const { service, limits } = context;
  const { urlLength: limit } = limits;
  if (target.length > limit) throw new ServiceError('url_too_large', { limit });
  return { kind: 'redirect', location: `${new URL(service.settings.issuer).origin}${target}` };
}
