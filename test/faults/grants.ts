/** Writers that issue, rotate and revoke tokens over HTTP and record the acknowledged outcomes, and an auditor that checks them (I1, I2, I4, I5). */
import {
  begin,
  type PendingAuthorization,
  PUBLIC,
  redemption,
  type Tokens,
} from '../support/oauth-client.js';
import type { SeededChoice } from './seeded-choice.js';

type Operation = 'begin' | 'approve' | 'redeem' | 'rotate' | 'revoke';

/** The acknowledged operations of one grant. */
export interface GrantHistory {
  /** The operation without a response: whether it took effect is unknown. */
  inFlight: Operation | undefined;
  tokens?: Tokens;
  revoked: boolean;
}

/** Thrown to abandon a grant, after a request with an unknown or unexpected outcome. */
class UnknownOutcome extends Error {}

/** The service under test, and counters of its responses. */
export interface Service {
  /** Base URL of the instance for the next request. */
  readonly url: () => string;
  /** Whether the injected fault explains that a request was cut off or could not connect. */
  readonly explainsFailure: (url: string) => boolean;
  readonly violations: string[];
  /** Responses other than 503. */
  answered: number;
  /** Responses with 503. */
  unavailable: number;
  /** Requests without a response. */
  broken: number;
  /** Duration of the longest request. */
  longestMs: number;
}

const MAX_ROTATIONS = 4;
/** Longer than every timeout of the service: a request without a response by then hangs. */
const HANG_MS = 15_000;

export function createService(url: () => string, explainsFailure: Service['explainsFailure']): Service {
  return { url, explainsFailure, violations: [], answered: 0, unavailable: 0, broken: 0, longestMs: 0 };
}

/** Creates and uses grants one after the other until stopped. */
export async function write(
  service: Service,
  histories: GrantHistory[],
  choice: SeededChoice,
  stopped: () => boolean,
): Promise<void> {
  while (!stopped()) {
    const history: GrantHistory = { inFlight: 'begin', revoked: false };
    histories.push(history);
    try {
      await runGrant(service, history, choice.between(0, MAX_ROTATIONS), choice.between(0, 2) === 0);
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      // Pauses, so that an unavailable service is not called in a tight loop.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function runGrant(
  service: Service,
  history: GrantHistory,
  rotations: number,
  revokes: boolean,
): Promise<void> {
  const pending = await beginAuthorization(service);
  history.inFlight = 'approve';
  const approval = { authorization_id: pending.authorizationId };
  const { code } = await post<{ code: string }>(service, '/oauth/authorize/approve', approval);
  history.inFlight = 'redeem';
  history.tokens = await post<Tokens>(service, '/oauth/token', redemption(pending, code));
  for (let rotation = 0; rotation < rotations; rotation += 1) {
    history.inFlight = 'rotate';
    history.tokens = await post<Tokens>(service, '/oauth/token', refreshRequest(history.tokens));
  }
  if (revokes) {
    history.inFlight = 'revoke';
    const { access_token: token } = history.tokens;
    const body = { token, client_id: PUBLIC.clientId, cascade: true };
    const { revoked } = await post<{ revoked: boolean }>(service, '/oauth/revoke', body);
    if (!revoked)
      service.violations.push('the revocation of a valid token was answered with `revoked: false`');
    history.revoked = true;
  }
  history.inFlight = undefined;
}

export function refreshRequest({ refresh_token }: Tokens) {
  return { grant_type: 'refresh_token', refresh_token, client_id: PUBLIC.clientId };
}

/** Compares the acknowledged operations with the state of the tokens now. Rotates the refresh tokens. @returns Number of grants with tokens. */
export async function audit(service: Service, histories: readonly GrantHistory[]): Promise<number> {
  let audited = 0;
  for (const { inFlight, tokens, revoked } of histories) {
    if (tokens === undefined) continue;
    audited += 1;
    const access = await statusOf(service, tokens.access_token);
    const refreshed = await send(service, '/oauth/token', refreshRequest(tokens));
    const state = `${revoked ? 'revoked' : 'active'}, ${inFlight ?? 'nothing'} in flight: access ${access}, refresh ${refreshed.status}`;
    const isRevoked = access === 401 && refreshed.status === 400;
    const isActive = access === 200 && refreshed.status === 200;
    const wasRotated = inFlight === 'rotate' && access === 200 && refreshed.status === 400;
    const expected = revoked ? isRevoked : isActive || wasRotated || (inFlight === 'revoke' && isRevoked);
    if (!expected) service.violations.push(state);
    // The token had been rotated, so this was a replay, which revokes the whole family.
    if (wasRotated && (await statusOf(service, tokens.access_token)) !== 401) {
      service.violations.push(`${state}, and the access token is valid after the replay`);
    }
  }
  return audited;
}

/** Finds rows that no sequence of complete operations can leave behind. */
export async function auditRows(
  readRows: (text: string) => Promise<readonly unknown[]>,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const [name, text] of INCONSISTENT_ROWS) {
    const rows = await readRows(text);
    if (rows.length > 0) violations.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return violations;
}

const INCONSISTENT_ROWS: readonly (readonly [name: string, text: string])[] = [
  [
    'a consumed code without tokens',
    `select id from authorization_record a where status = 'consumed'
     and not exists (select 1 from access_token t where t.authorization_id = a.id)`,
  ],
  [
    'tokens of a code that was not consumed',
    `select a.id from authorization_record a join access_token t on t.authorization_id = a.id
     where a.status not in ('consumed', 'revoked')`,
  ],
  [
    'an active family without exactly one active generation',
    `select r.family_id from refresh_token r join authorization_record a on a.id = r.authorization_id
     where a.status = 'consumed' group by r.family_id
     having sum(case when rotated_at is null and r.revoked_at is null then 1 else 0 end) <> 1`,
  ],
  [
    'a family with a gap, or a generation without its access token',
    `select r.family_id from refresh_token r group by r.family_id
     having count(*) <> max(r.generation)
     or count(*) <> (select count(*) from access_token t where t.family_id = r.family_id)`,
  ],
];

/** The status of a `/userinfo` response for the token. */
export async function statusOf(service: Service, accessToken: string): Promise<number> {
  const response = await tracked(service, async (url) => {
    const sent = await fetch(`${url}/userinfo`, {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(HANG_MS),
    });
    await sent.arrayBuffer();
    return sent;
  });
  return response.status;
}

/** Sends a request and returns its response. @throws {UnknownOutcome} Without a response, or for a response with 503. */
async function send(
  service: Service,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return await tracked(service, async (url) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(HANG_MS),
    });
    const text = await response.text();
    if (response.status === 503) return { status: 503, headers: response.headers, body: undefined };
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as unknown };
  });
}

async function post<Result>(service: Service, path: string, body: unknown): Promise<Result> {
  const response = await send(service, path, body);
  if (response.status !== 200) {
    service.violations.push(`${path} was answered with ${response.status}: ${JSON.stringify(response.body)}`);
    throw new UnknownOutcome();
  }
  return response.body as Result;
}

async function beginAuthorization(service: Service): Promise<PendingAuthorization> {
  const { pending } = await tracked(service, async (url) => {
    const begun = await withTimeout(begin({ url }));
    const { status, headers } = begun.response;
    return { status, headers, pending: begun };
  });
  if (pending.authorizationId !== '') return pending;
  const { status, headers } = pending.response;
  const location = headers.get('location') ?? 'no redirect';
  // Without its store, the service redirects without an authorization.
  if (!location.includes('error=temporarily_unavailable'))
    service.violations.push(`/oauth/authorize was answered with ${status}: ${location}`);
  throw new UnknownOutcome();
}

/** Rejects if the request has no response in time. */
function withTimeout<Result>(request: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${HANG_MS} ms`)), HANG_MS);
  });
  return Promise.race([request, timeout]).finally(() => clearTimeout(timer));
}

/** Counts requests with and without a response. */
async function tracked<Result>(service: Service, request: (url: string) => Promise<Result>): Promise<Result> {
  const url = service.url();
  const from = performance.now();
  try {
    const result = await request(url);
    const { status, headers } = result as { status?: number; headers?: Headers };
    if (status === 503) {
      service.unavailable += 1;
      if (headers?.get('retry-after') == null) service.violations.push('503 without Retry-After');
      throw new UnknownOutcome();
    }
    service.answered += 1;
    return result;
  } catch (error) {
    if (error instanceof UnknownOutcome) throw error;
    service.broken += 1;
    if (!service.explainsFailure(url)) service.violations.push(`${url}: ${reasonOf(error)}`);
    throw new UnknownOutcome();
  } finally {
    service.longestMs = Math.max(service.longestMs, performance.now() - from);
  }
}

/** The message of an error with the code of its cause, which `fetch failed` leaves out. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `${error.message} ${code}`.trim();
}

/** Prints the violations of a run, and sets the exit code. */
export function report(title: string, violations: readonly string[]): void {
  for (const violation of violations.slice(0, 20)) process.stdout.write(`VIOLATION ${violation}\n`);
  process.stdout.write(`${title}: ${violations.length === 0 ? 'ok' : `${violations.length} violations`}\n`);
  if (violations.length > 0) process.exitCode = 1;
}
