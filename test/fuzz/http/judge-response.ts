/** Checks of every response: it is documented and well-formed, has no secrets, and is not successful without a valid token. */
import { openApiDocument } from '../../../src/http/openapi.js';
import { findRoutes, ROUTES } from '../../../src/http/routes/catalogue.js';
import { findUndocumented } from '../../support/documented-responses.js';
import { headerOf, type RawResponse } from '../../support/raw-connection.js';
import type { Finding } from '../fuzz-target.js';
import { needsSeparateConnection, type SentRequest } from './planned-request.js';
import { parametersOf, type Session } from './session.js';

/** The allowed redirect targets of a deployment. */
export interface RedirectTargets {
  readonly origin: string;
  readonly redirects: RegExp;
}

/** Every header that the service may send. */
const HEADERS = new Set([
  'accept',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'allow',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'dpop-nonce',
  'etag',
  'keep-alive',
  'location',
  'permissions-policy',
  'ratelimit',
  'ratelimit-policy',
  'referrer-policy',
  'retry-after',
  'set-cookie',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-frame-options',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]);

/** Texts that reveal internals, such as stack traces and driver errors. */
const INTERNALS =
  /\n\s+at |node:internal|node_modules|[/\\]dist[/\\]|SQLITE_|libsql|kysely|(?:Type|Range|Reference|Syntax)Error\b|\[object /;

/** Checks a response. @returns The fault; `undefined` if there is none. */
export function judgeResponse(
  request: SentRequest,
  response: RawResponse,
  session: Session,
  deployed: RedirectTargets,
): Finding | undefined {
  const { method, target } = request;
  const at = `${method} ${target.slice(0, 200)} → ${response.status}`;
  const operation = findOperationId(request) ?? 'no operation';
  const found = (kind: string, detail: string): Finding => ({
    kind: `${operation}: ${kind}`,
    detail: `${at}: ${detail}`,
  });
  if (response.status >= 500) return found(`status ${response.status}`, response.body.slice(0, 400));
  const unexpected = response.headers.find(([name]) => !HEADERS.has(name));
  if (unexpected !== undefined) return found('unexpected header', unexpected.join(': '));
  if (headerOf(response, 'x-request-id') === undefined) return found('no request id', '');
  if (headerOf(response, 'x-content-type-options') !== 'nosniff') return found('no nosniff', '');
  const undocumentedPart = undocumentedIn(request, response);
  if (undocumentedPart !== undefined) return found('undocumented', undocumentedPart);
  const internals = INTERNALS.exec(response.body);
  if (internals !== null && !sentText(request).includes(internals[0]))
    return found(
      'reveals internals',
      response.body.slice(Math.max(0, internals.index - 100), internals.index + 200),
    );
  const secret = leakedSecret(request, response, session);
  if (secret !== undefined) return found('leaks a secret', secret);
  const location = headerOf(response, 'location');
  if (location !== undefined && !isAllowedRedirect(location, deployed))
    return found('redirects to a foreign URL', location);
  const unauthorized = unauthorizedSuccess(request, response, session);
  return unauthorized === undefined ? undefined : found(unauthorized, response.body.slice(0, 200));
}

/**
 * Checks a response of a service with a damaged store. It may fail with 500 or 503, but with the documented error body, and without internals
 * or the damaged value. A successful response may contain that value.
 *
 * @param marker - A part of the damaged value, by which it is recognized.
 * @param shown - Whether pages may show the value on any response, as they do for the application's name.
 */
export function judgeResponseOnDamage(
  request: SentRequest,
  response: RawResponse,
  marker: string,
  shown: boolean,
): Finding | undefined {
  const { method, target } = request;
  const isPage = headerOf(response, 'content-type')?.startsWith('text/html') === true;
  const operation = findOperationId(request) ?? 'no operation';
  const found = (kind: string, detail: string): Finding => ({ kind: `${operation}: ${kind}`, detail });
  const unexpected = response.headers.find(([name]) => !HEADERS.has(name));
  if (unexpected !== undefined) return found('unexpected header', unexpected.join(': '));
  const internals = INTERNALS.exec(response.body);
  if (internals !== null) return found('reveals internals', response.body.slice(0, 400));
  if (response.status < 400) return undefined;
  if (response.body.includes(marker) && !(shown && isPage))
    return found('an error repeats a value of the store', response.body.slice(0, 400));
  const problem = findUndocumented({
    ...response,
    method,
    path: target,
    type: headerOf(response, 'content-type'),
  });
  return problem === undefined ? undefined : found('undocumented', problem);
}

/**
 * Returns the undocumented part of a response; `undefined` if all of it is documented. A malformed request is rejected before routing, so the
 * documented errors of an unknown path are accepted too.
 */
function undocumentedIn(request: SentRequest, response: RawResponse): string | undefined {
  const { method, target } = request;
  // A response to HEAD has only the length of the body.
  if (method === 'HEAD') return undefined;
  const type = headerOf(response, 'content-type');
  const problem = findUndocumented({ ...response, method, path: target, type });
  if (problem === undefined || isWellFormed(request) || response.status !== 400) return problem;
  return findUndocumented({ ...response, method: 'GET', path: '/nothing', type });
}

/** Whether a request is syntactically valid (RFC 9112 §3, RFC 9110 §5.5) and has no framing headers. */
function isWellFormed(request: SentRequest): boolean {
  const hasValidHeaders = request.headers.every(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\u{10ffff}]*$/u.test(value),
  );
  return hasValidHeaders && /^[\x21-\x7e]+$/.test(request.target) && !needsSeparateConnection(request);
}

/** The id of the operation for a request; `undefined` if no route matches. */
export function findOperationId({
  method,
  target,
}: Pick<SentRequest, 'method' | 'target'>): string | undefined {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split('?');
  for (const { route } of findRoutes(path)) {
    const operation = Object.entries(route.operations).find(([one]) => one === method)?.[1];
    if (operation !== undefined) return operation.id;
  }
  return undefined;
}

/** Every documented pair of operation and status, such as `issueTokens 200`. */
export const DOCUMENTED_RESPONSES: readonly string[] = Object.values(
  openApiDocument(ROUTES, 'http://127.0.0.1/v2')['paths'] as Readonly<
    Record<string, Readonly<Record<string, { operationId: string; responses: object }>>>
  >,
).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  ),
);

function sentText({ target, headers, body }: SentRequest): string {
  let decoded = target;
  try {
    decoded += decodeURIComponent(target.replaceAll('+', ' '));
  } catch {
    // Not decodable: only the raw target counts.
  }
  return `${decoded}\n${body}\n${headers.map((pair) => pair.join()).join('\n')}`;
}

function leakedSecret(request: SentRequest, response: RawResponse, { secrets }: Session): string | undefined {
  const received = `${response.body}\n${response.headers.map(([, value]) => value).join('\n')}`;
  for (const secret of secrets)
    if (received.includes(secret) && !sentText(request).includes(secret)) return secret;
  // A bearer token must not be repeated even to its sender, unless the target or the body of the request contained it as well.
  const authorization = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const token = /^Bearer (\S{20,})$/i.exec(authorization)?.[1];
  const sentOtherwise = token !== undefined && `${request.target}${request.body}`.includes(token);
  return token !== undefined && !sentOtherwise && received.includes(token) ? token : undefined;
}

function isAllowedRedirect(location: string, { origin, redirects }: RedirectTargets): boolean {
  if (!/^[\x21-\x7e]*$/.test(location)) return false;
  const own = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  return (
    /^\/(?:consent|sign-in|grants|v2\/oauth\/(?:authorize|logout))(?:[?]|$)/.test(own) ||
    redirects.test(location)
  );
}

const ACCEPTS_BEARER = new Map<string, (authorization: string, session: Session) => boolean>();
for (const { operations } of ROUTES) {
  for (const { id, caller } of Object.values(operations)) {
    if (caller === 'bearer') ACCEPTS_BEARER.set(id, (header) => /^bearer [\w.~+/=-]+$/i.test(header));
    if (caller === 'administrator')
      ACCEPTS_BEARER.set(
        id,
        (header, { known }) => header.slice('bearer '.length) === known.get('administrator'),
      );
  }
}

/**
 * Returns a fault if a request succeeded without a token, or with a code or token that was used up or revoked, or if an introspection reported such
 * a token as active. A wrong token is noticed only at operations of the administrator.
 */
function unauthorizedSuccess(
  request: SentRequest,
  response: RawResponse,
  session: Session,
): string | undefined {
  if (response.status >= 300) return undefined;
  const sent = parametersOf(request.body);
  const operation = findOperationId(request) ?? '';
  const authorization =
    request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ??
    // The one operation that takes the access token in a form as well (RFC 6750 §2.2).
    (operation === 'postUserInfo' ? `Bearer ${sent['access_token'] ?? ''}` : '');
  const accepts = ACCEPTS_BEARER.get(operation);
  if (accepts !== undefined && !accepts(authorization.trim(), session)) return 'succeeded without a token';
  if (accepts !== undefined && session.invalidated.has(authorization.trim().slice('bearer '.length)))
    return 'succeeded with an invalidated token';
  if (operation === 'issueTokens') {
    const used = [sent['code'], sent['refresh_token']].find((one) => session.invalidated.has(String(one)));
    const presented = sent['grant_type'] === 'refresh_token' ? sent['refresh_token'] : sent['code'];
    if (used !== undefined && used === presented) return 'issued tokens for a used code or token';
  }
  if (
    operation === 'introspect' &&
    response.body.includes('"active":true') &&
    session.invalidated.has(String(sent['token']))
  )
    return 'introspection reports an invalidated token as active';
  return undefined;
}
