/** Reads and checks the head of a request: its target, raw headers, host and framing (S4–S7, S10, S11, D10). */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ServiceError } from '../service/index.js';
import { malformed } from './errors.js';
import type { RequestContext } from './request-context.js';

/** Lists the values of a header, one per header line. Never throws. @param name - In lower case. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] as string);
    }
  }
  return values;
}

/** A request target, in origin form or in absolute form, which a server must also accept (RFC 9112 §3.2, S7). */
export interface RequestTarget {
  /** Host and port of the absolute form; absent in origin form. */
  readonly authority?: string;
  /** The path as it was sent, not normalized, so that each endpoint has exactly one spelling. */
  readonly path: string;
  /** The query string; may be empty. */
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
 * Detects ambiguous framing that `node:http` accepts: a proxy may interpret it differently, so later data on the connection cannot be trusted.
 * Also detects a missing `Host`. Never throws.
 *
 * @returns `headers_too_large` for too many headers; `malformed_body` for a `Transfer-Encoding` other than `chunked`, for any
 *   `Transfer-Encoding` in HTTP/1.0, for more than one `Host`, and for none in HTTP/1.1; `undefined` if the framing is unambiguous.
 */
export function findFramingError({ request, limits }: RequestContext): ServiceError | undefined {
  const { headers, httpVersion, rawHeaders } = request;
  // Checked first: beyond the limit, `headers` silently omits headers, while `rawHeaders` contains one more than the limit.
  if (rawHeaders.length / 2 > limits.headers)
    return new ServiceError('headers_too_large', { limit: limits.headers });
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding !== 'chunked' || httpVersion !== '1.1')) {
    const message = '`Transfer-Encoding` must be `chunked` or absent; in HTTP/1.0 it must be absent.';
    return malformed('', 'transfer_encoding', message);
  }
  const hosts = headerValues(request, 'host').length;
  if (hosts === 0 && httpVersion === '1.1')
    return malformed('', 'header_missing', 'The request must have a `Host` header.');
  if (hosts > 1)
    return malformed('', 'header_repeated', 'The request must not have more than one `Host` header.');
  return undefined;
}

/**
 * Rejects a request whose target is too long, or whose target or `Host` names another server.
 *
 * @param hosts - The values of `Host` that name the service, in lower case.
 * @param probe - Whether the route is a health probe, which orchestrators call by the instance's address: its `Host` is checked only in an
 *   environment that is restricted to loopback.
 * @throws {ServiceError} `url_too_large`; `malformed_body` for the target of another server; `access_denied` for another `Host`.
 */
export function assertTarget(
  { request, target, limits, service }: RequestContext,
  hosts: readonly string[],
  probe: boolean,
): void {
  const { loopbackOnly } = service.environment;
  const isOwnHost = (authority: string) =>
    loopbackOnly ? isLoopbackHost(authority) : hosts.includes(authority.toLowerCase());
  const { urlLength } = limits;
  if ((request.url ?? '').length > urlLength) throw new ServiceError('url_too_large', { limit: urlLength });
  if (target.authority !== undefined && !isOwnHost(target.authority))
    throw malformed('', 'target_foreign', 'The request target must be a path, or a URL of this service.');
  if ((!probe || loopbackOnly) && !isOwnHost(request.headers.host ?? ''))
    throw new ServiceError('access_denied');
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const HOST = /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/i;

/** Whether a `Host` is a loopback name or address. */
function isLoopbackHost(authority: string): boolean {
  return LOOPBACK.test(authority);
}

/**
 * Whether a `Host` is a loopback name, an IP address, or the configured name. DNS rebinding needs a name that the attacker's DNS
 * server resolves, which none of these is.
 */
export function isDirectHost(authority: string, configured: string): boolean {
  if (isLoopbackHost(authority)) return true;
  const [, ipv6, name = ''] = HOST.exec(authority) ?? [];
  if (ipv6 !== undefined) return isIP(ipv6) === 6;
  return isIP(name) === 4 || (name !== '' && name.toLowerCase() === configured.toLowerCase());
}
