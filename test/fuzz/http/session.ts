/** The state of a client: its tokens, ids and cookies, and which of these must no longer work. */
import { headerOf, type RawResponse } from '../../support/raw-connection.js';
import type { SentRequest } from './planned-request.js';

export interface Session {
  /** Values by the name of their placeholder in planned requests. */
  readonly known: Map<string, string>;
  /** Secrets that responses must not repeat. */
  readonly secrets: Set<string>;
  /** Codes, access tokens and refresh tokens that were used up or revoked. */
  readonly invalidated: Set<string>;
}

/** Members of responses whose values later requests may use, and their placeholder names. */
const LEARNED: Readonly<Record<string, string>> = {
  access_token: 'access',
  refresh_token: 'refresh',
  id_token: 'id_token',
  code: 'code',
  authorization_id: 'authorization',
  next_cursor: 'cursor',
  app_scoped_user_id: 'subject',
  request_uri: 'request_uri',
  id: 'credential',
};
const SECRET_NAMES = new Set(['access', 'refresh', 'code']);

/** Updates a session from a response: stores new values, and marks those that the request invalidated. */
export function learn(session: Session, request: SentRequest, response: RawResponse): void {
  noteInvalidated(session, request, response);
  const members = membersOf(response);
  for (const [member, name] of Object.entries(LEARNED)) {
    const value = members[member];
    if (typeof value === 'string' && value !== '') remember(session, name, value);
  }
  const location = headerOf(response, 'location');
  if (location !== undefined && URL.canParse(location, 'http://localhost')) {
    const { searchParams } = new URL(location, 'http://localhost');
    for (const name of ['authorization_id', 'code', 'nonce']) {
      const value = searchParams.get(name);
      if (value !== null && value !== '') remember(session, LEARNED[name] ?? name, value);
    }
  }
  // The request to an OpenID Connect provider.
  const state = /[?&]code_challenge=.*[?&]state=([^&]+)/.exec(location ?? '')?.[1];
  if (state !== undefined) session.known.set('provider_state', decodeURIComponent(state));
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') continue;
    const [pair = ''] = value.split(';');
    setCookie(session, pair);
  }
  const proof = /name="proof" value="([^"]+)"/.exec(response.body)?.[1];
  if (proof !== undefined) session.known.set('proof', proof);
  const person = /name="person"[^>]*>\s*<option value="([^"]+)"|name="person" value="([^"]+)"/
    .exec(response.body)
    ?.slice(1)
    .find((one) => one !== undefined);
  if (person !== undefined) session.known.set('person', person);
}

function remember(session: Session, name: string, value: string): void {
  session.known.set(name, value);
  if (SECRET_NAMES.has(name)) session.secrets.add(value);
}

/** Stores a cookie, replacing one of the same name. */
function setCookie({ known }: Session, pair: string): void {
  const [name = ''] = pair.split('=');
  const others = (known.get('cookie') ?? '')
    .split('; ')
    .filter((one) => one !== '' && !one.startsWith(`${name}=`));
  known.set('cookie', [...others, ...(pair.endsWith('=') ? [] : [pair])].join('; '));
}

function noteInvalidated(
  { invalidated }: Session,
  { target, body }: SentRequest,
  response: RawResponse,
): void {
  if (response.status !== 200) return;
  const sent = parametersOf(body);
  if (target.startsWith('/v2/oauth/token')) {
    for (const name of ['code', 'refresh_token']) {
      const used = sent[name];
      const grant = sent['grant_type'];
      const isRedeemed = name === 'code' ? grant === 'authorization_code' : grant === 'refresh_token';
      if (isRedeemed && typeof used === 'string') invalidated.add(used);
    }
  }
  if (target.startsWith('/v2/oauth/revoke') && sent['tokens'] === undefined) {
    const [detail] = (membersOf(response)['details'] ?? []) as { subject?: string; status?: string }[];
    const { token } = sent;
    if (detail?.subject === 'token' && detail.status === 'revoked' && typeof token === 'string')
      invalidated.add(token);
  }
}

/** Returns the members of a JSON body; empty if it is not an object. */
function membersOf({ body }: RawResponse): Readonly<Record<string, unknown>> {
  return parsed(body) ?? {};
}

/** The members of a request's body, whether it is JSON or a form. */
export function parametersOf(body: string): Readonly<Record<string, unknown>> {
  return parsed(body) ?? Object.fromEntries(new URLSearchParams(body));
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
