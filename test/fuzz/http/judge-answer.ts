/** Checks that hold for every response: documented, well-formed, without secrets, and not successful without credentials. */
import { openApiDocument } from '../../../src/http/openapi.js';
import { findRoutes, ROUTES } from '../../../src/http/routes/catalogue.js';
import { findUndocumented } from '../../support/documented-responses.js';
import { headerOf, type RawResponse } from '../../support/raw-connection.js';
import type { Finding } from '../fuzz-target.js';
import { needsOwnConnection, type SentRequest } from './planned-request.js';
import { parametersOf, type Session } from './session.js';

/** Where a deployment may send a browser. */
export interface Deployed {
  readonly origin: string;
  readonly redirects: RegExp;
}

/** Every header that an answer of ours may have. */
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

/** What only the inside of a program says. */
const INSIDE =
  /\n\s+at |node:internal|node_modules|[/\\]dist[/\\]|SQLITE_|libsql|kysely|(?:Type|Range|Reference|Syntax)Error\b|\[object /;

/** @returns What is wrong with an answer; nothing where nothing is. */
export function judgeAnswer(
  request: SentRequest,
  answer: RawResponse,
  session: Session,
  deployed: Deployed,
): Finding | undefined {
  const { method, target } = request;
  const at = `${method} ${target.slice(0, 200)} → ${answer.status}`;
  const operation = operationAt(request) ?? 'no operation';
  const found = (kind: string, detail: string): Finding => ({
    kind: `${operation}: ${kind}`,
    detail: `${at}: ${detail}`,
  });
  if (answer.status >= 500) return found(`status ${answer.status}`, answer.body.slice(0, 400));
  const foreign = answer.headers.find(([name]) => !HEADERS.has(name));
  if (foreign !== undefined) return found('a header that is none of ours', foreign.join(': '));
  if (headerOf(answer, 'x-request-id') === undefined) return found('no request id', '');
  if (headerOf(answer, 'x-content-type-options') !== 'nosniff') return found('no nosniff', '');
  const undocumentedPart = undocumentedIn(request, answer);
  if (undocumentedPart !== undefined) return found('undocumented', undocumentedPart);
  const inside = INSIDE.exec(answer.body);
  if (inside !== null && !sentText(request).includes(inside[0]))
    return found(
      'tells of its inside',
      answer.body.slice(Math.max(0, inside.index - 100), inside.index + 200),
    );
  const secret = toldSecret(request, answer, session);
  if (secret !== undefined) return found('tells a secret', secret);
  const location = headerOf(answer, 'location');
  if (location !== undefined && !mayLead(location, deployed)) return found('leads elsewhere', location);
  const opened = openedByNothing(request, answer, session);
  return opened === undefined ? undefined : found(opened, answer.body.slice(0, 200));
}

/**
 * Of a service whose store somebody damaged less is asked: it may fail, by 500 or 503, but in our error body, without a word of its inside
 * and without the damaged value; a right answer may hold the value, since that is what the store says.
 *
 * @param shown - Whether pages may show the value for any request: the application's name.
 */
export function judgeDamaged(
  request: SentRequest,
  answer: RawResponse,
  marker: string,
  shown: boolean,
): Finding | undefined {
  const { method, target } = request;
  const isPage = headerOf(answer, 'content-type')?.startsWith('text/html') === true;
  const operation = operationAt(request) ?? 'no operation';
  const found = (kind: string, detail: string): Finding => ({ kind: `${operation}: ${kind}`, detail });
  const foreign = answer.headers.find(([name]) => !HEADERS.has(name));
  if (foreign !== undefined) return found('a header that is none of ours', foreign.join(': '));
  const inside = INSIDE.exec(answer.body);
  if (inside !== null) return found('tells of its inside', answer.body.slice(0, 400));
  if (answer.status < 400) return undefined;
  if (answer.body.includes(marker) && !(shown && isPage))
    return found('a refusal repeats a value of the store', answer.body.slice(0, 400));
  const problem = findUndocumented({
    ...answer,
    method,
    path: target,
    type: headerOf(answer, 'content-type'),
  });
  return problem === undefined ? undefined : found('undocumented', problem);
}

/** Malformed requests are rejected before routing. */
function undocumentedIn(request: SentRequest, answer: RawResponse): string | undefined {
  const { method, target } = request;
  // A response to HEAD has only the length of the body.
  if (method === 'HEAD') return undefined;
  const type = headerOf(answer, 'content-type');
  const problem = findUndocumented({ ...answer, method, path: target, type });
  if (problem === undefined || isRequest(request) || answer.status !== 400) return problem;
  return findUndocumented({ ...answer, method: 'GET', path: '/nothing', type });
}

/** Whether a request is syntactically valid (RFC 9112 §3, RFC 9110 §5.5) and has no framing headers. */
function isRequest(request: SentRequest): boolean {
  const sound = request.headers.every(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\u{10ffff}]*$/u.test(value),
  );
  return sound && /^[\x21-\x7e]+$/.test(request.target) && !needsOwnConnection(request);
}

/** The operation that answers a request; nothing where none does. */
export function operationAt({ method, target }: Pick<SentRequest, 'method' | 'target'>): string | undefined {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split('?');
  for (const { route } of findRoutes(path)) {
    const operation = Object.entries(route.operations).find(([one]) => one === method)?.[1];
    if (operation !== undefined) return operation.id;
  }
  return undefined;
}

/** Every operation with every status that the document has for it: `issueTokens 200`. */
export const DOCUMENTED: readonly string[] = Object.values(
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
    // It stands there as it was sent.
  }
  return `${decoded}\n${body}\n${headers.map((pair) => pair.join()).join('\n')}`;
}

function toldSecret(request: SentRequest, answer: RawResponse, { secrets }: Session): string | undefined {
  const told = `${answer.body}\n${answer.headers.map(([, value]) => value).join('\n')}`;
  for (const secret of secrets)
    if (told.includes(secret) && !sentText(request).includes(secret)) return secret;
  // What opens a door is never said back, even to who has just said it.
  const authorization = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const token = /^Bearer (\S{20,})$/i.exec(authorization)?.[1];
  const elsewhere = token !== undefined && `${request.target}${request.body}`.includes(token);
  return token !== undefined && !elsewhere && told.includes(token) ? token : undefined;
}

function mayLead(location: string, { origin, redirects }: Deployed): boolean {
  if (!/^[\x21-\x7e]*$/.test(location)) return false;
  const own = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  return (
    /^\/(?:consent|sign-in|grants|v2\/oauth\/(?:authorize|logout))(?:[?]|$)/.test(own) ||
    redirects.test(location)
  );
}

const WITH_BEARER = new Map<string, (authorization: string, session: Session) => boolean>();
for (const { operations } of ROUTES) {
  for (const { id, caller } of Object.values(operations)) {
    if (caller === 'bearer') WITH_BEARER.set(id, (given) => /^bearer [\w.~+/=-]+$/i.test(given));
    if (caller === 'administrator')
      WITH_BEARER.set(id, (given, { known }) => given.slice('bearer '.length) === known.get('administrator'));
  }
}

/** Whether who had nothing to show, or something that is over, got what they wanted. */
function openedByNothing(request: SentRequest, answer: RawResponse, session: Session): string | undefined {
  if (answer.status >= 300) return undefined;
  const sent = parametersOf(request.body);
  const operation = operationAt(request) ?? '';
  const authorization =
    request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ??
    // The one operation that takes the access token in a form as well (RFC 6750 §2.2).
    (operation === 'postUserInfo' ? `Bearer ${sent['access_token']}` : '');
  const shows = WITH_BEARER.get(operation);
  if (shows !== undefined && !shows(authorization.trim(), session)) return 'opened without a token';
  if (shows !== undefined && session.dead.has(authorization.trim().slice('bearer '.length)))
    return 'opened by a token that is over';
  if (operation === 'issueTokens') {
    const used = [sent['code'], sent['refresh_token']].find((one) => session.dead.has(String(one)));
    const meant = sent['grant_type'] === 'refresh_token' ? sent['refresh_token'] : sent['code'];
    if (used !== undefined && used === meant) return 'tokens for what was used up';
  }
  if (
    operation === 'introspect' &&
    answer.body.includes('"active":true') &&
    session.dead.has(String(sent['token']))
  )
    return 'active, and over';
  return undefined;
}
