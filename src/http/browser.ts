/** Binds a browser, by its cookies, to the authorizations that it started and to its signed-in person (S60, S65, S66, D14). */

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

/** A browser and its binding. */
export interface Browser {
  /** The value of the browser's cookie: 256 random bits. */
  readonly binding: string;
  /** Sets the cookie of a new browser; otherwise empty. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The person signed in at a browser. */
export interface SignedInPerson extends OpenedSession {
  readonly browserBinding: string;
}

/** Returns the browser of a request, or a new one if the request has no valid cookie. */
export function getOrCreateBrowser(context: RequestContext): Browser {
  const { service } = context;
  const existing = findBrowserBinding(context);
  if (existing !== undefined) return { binding: existing, headers: {} };
  const binding = service.sessions.createBrowserKey();
  return { binding, headers: cookieHeader('browser', binding, service) };
}

/** Finds the binding in the browser's cookie; `undefined` without a valid cookie. */
export function findBrowserBinding(context: RequestContext): string | undefined {
  const value = readCookie(context, 'browser');
  return value !== undefined && BINDING.test(value) ? value : undefined;
}

/** Finds the person signed in at the browser of a request; `undefined` if there is none. */
export async function findSignedInPerson(context: RequestContext): Promise<SignedInPerson | undefined> {
  const browserBinding = findBrowserBinding(context);
  if (browserBinding === undefined) return undefined;
  const token = readCookie(context, 'person');
  const session = await context.service.sessions.find(token);
  return session && token !== undefined ? { ...session, token, browserBinding } : undefined;
}

/** Finds an authorization that this browser started; `undefined` if it is unknown or bound to another browser (S60). */
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
 * Rejects cross-origin forms (CSRF, RFC 9700 §4.7, S65).
 *
 * @throws {ServiceError} `access_denied`
 */
export function assertSameOrigin({ request, service }: RequestContext): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isOwnOrigin = origin === undefined || origin === new URL(service.settings.issuer).origin;
  // Under `Referrer-Policy: no-referrer`, same-origin forms send `Origin: null`: fall back to `Sec-Fetch-Site`.
  const isOwnForm = origin === 'null' && site === 'same-origin';
  const isCrossOrigin = site !== undefined && site !== 'same-origin';
  if (isCrossOrigin || !(isOwnOrigin || isOwnForm)) throw new ServiceError('access_denied');
}

/** `browser`: the browser binding; `person`: the session of the signed-in person. */
export type CookieKind = 'browser' | 'person';

const SUFFIXES: Readonly<Record<CookieKind, string>> = { browser: '', person: '-person' };

/** Reads a cookie; `undefined` if the browser sends none, or more than one of this name. */
export function readCookie(
  { request, service }: Pick<RequestContext, 'request' | 'service'>,
  kind: CookieKind,
): string | undefined {
  const name = cookieName(kind, service);
  const cookies = (request.headers.cookie ?? '').split(/; */).filter((pair) => pair.startsWith(`${name}=`));
  const [cookie] = cookies;
  return cookies.length === 1 && cookie !== undefined ? cookie.slice(name.length + 1) : undefined;
}

/** Returns the header that sets a cookie: host-only, `SameSite=Lax`, not readable by scripts. */
export function cookieHeader(kind: CookieKind, value: string, service: Service): Headers {
  return { 'Set-Cookie': `${cookieName(kind, service)}=${value}; ${attributes(service)}` };
}

/** Returns the header that deletes a cookie. */
export function expiredCookieHeader(kind: CookieKind, service: Service): Headers {
  return { 'Set-Cookie': `${cookieName(kind, service)}=; ${attributes(service)}; Max-Age=0` };
}

function attributes(service: Service): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure(service) ? '; Secure' : ''}`;
}

/** Adds the prefix `__Host-` with https. Over http (loopback only), browsers would reject such a cookie (D14). */
function cookieName(kind: CookieKind, service: Service): string {
  return `${isSecure(service) ? '__Host-' : ''}proviso${SUFFIXES[kind]}`;
}

function isSecure({ settings }: Service): boolean {
  return settings.issuer.startsWith('https:');
}

/**
 * Redirects a POST to GET with the same parameters. A cross-site form is sent without cookies (`SameSite=Lax`), and setting new cookies would
 * end the person's session at this browser. The navigation after the 303 sends the existing cookies. The address is relative: the browser may have reached
 * the sandbox under another name than that of the issuer, for which it has no cookies.
 *
 * @param path - Path of the route.
 * @throws {ServiceError} `url_too_large` if the parameters do not fit into a URL, and errors of {@link readForm}.
 */
export async function redirectToGet(context: RequestContext, path: string): Promise<RouteResponse> {
  const target = `${path}?${new URLSearchParams([...(await readForm(context))])}`;
  const { urlLength: limit } = context.limits;
  if (target.length > limit) throw new ServiceError('url_too_large', { limit });
  return { kind: 'redirect', location: target };
}
