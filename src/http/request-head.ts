/** Reads the head of a request: its target, its raw headers, the host it is for, and whether its framing is unambiguous (S4–S7, S10, S11, D10). */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ServiceError } from '../service/index.js';
import { malformed } from './errors.js';
import type { RequestContext } from './request-context.js';

/** @param name - In lower case. @returns One entry a header line of this name, in order. Never throws. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string;
    if (given.length === name.length && given.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] as string);
    }
  }
  return values;
}

/** What a request's target names: a path, and in the absolute form, which proxies send, a host as well (RFC 9112 §3.2, S7). */
export interface RequestTarget {
  /** Host and port of the absolute form; absent in the usual one. */
  readonly authority?: string;
  /** As it was sent, without the query, so that no two spellings name one endpoint. */
  readonly path: string;
  /** The query string; empty where there is none. */
  readonly query: string;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Splits a target. Never throws. */
export function parseTarget(url: string): RequestTarget {
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  return authority === undefined ? splitQuery(url) : { authority, ...splitQuery(rest) };
}

function splitQuery(target: string): { readonly path: string; readonly query: string } {
  const end = target.indexOf('?');
  return end === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, end), query: target.slice(end + 1) };
}

/**
 * Finds what makes the framing of a request ambiguous, though `node:http` accepts it: a proxy may read it otherwise, and nothing after it
 * on its connection can be trusted. Never throws.
 *
 * @returns `headers_too_large` for more headers than are read; `malformed_body` for a `Transfer-Encoding` that is not exactly
 *   `chunked`, or any in HTTP/1.0, and for more than one `Host`; `undefined` where the framing is certain.
 */
export function findFramingError({ request, limits }: RequestContext): ServiceError | undefined {
  const { headers, httpVersion, rawHeaders } = request;
  // First: `headers` silently lacks what comes after the limit, while `rawHeaders` still shows that there was more.
  if (rawHeaders.length / 2 > limits.headers)
    return new ServiceError('headers_too_large', { limit: limits.headers });
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding !== 'chunked' || httpVersion !== '1.1')) {
    const message = '`Transfer-Encoding` is `chunked` or absent, and absent in HTTP/1.0.';
    return malformed('', 'transfer_encoding', message);
  }
  if (headerValues(request, 'host').length > 1)
    return malformed('', 'header_repeated', 'A request has one `Host` header.');
  return undefined;
}

/**
 * Rejects a request that is not for this service, before anything else of it is looked at.
 *
 * @param host - The host of the issuer's URL.
 * @param probe - Whether it is for a route that orchestrators call by the instance's address.
 * @throws {ServiceError} `url_too_large`, `malformed_body`, `access_denied`
 */
export function assertTarget(
  { request, target, limits, service }: RequestContext,
  host: string,
  probe: boolean,
): void {
  const { loopbackOnly } = service.environment;
  const isOwnHost = (authority: string) =>
    loopbackOnly ? isLoopbackHost(authority) : authority.toLowerCase() === host;
  const { urlLength } = limits;
  if ((request.url ?? '').length > urlLength) throw new ServiceError('url_too_large', { limit: urlLength });
  if (target.authority !== undefined && !isOwnHost(target.authority))
    throw malformed('', 'target_foreign', 'The target is a path, or a URL of this service.');
  if ((!probe || loopbackOnly) && !isOwnHost(request.headers.host ?? ''))
    throw new ServiceError('access_denied');
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const HOST = /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/i;

/** Whether a `Host` names this machine's loopback interface. */
function isLoopbackHost(authority: string): boolean {
  return LOOPBACK.test(authority);
}

/**
 * Whether a `Host` is a loopback name, an IP address, or the configured name. DNS rebinding needs a name that the attacker's DNS
 * server resolves, and is none of these.
 */
export function isDirectHost(authority: string, configured: string): boolean {
  if (isLoopbackHost(authority)) return true;
  const [, ipv6, name = ''] = HOST.exec(authority) ?? [];
  if (ipv6 !== undefined) return isIP(ipv6) === 6;
  return isIP(name) === 4 || (name !== '' && name.toLowerCase() === configured.toLowerCase());
}
