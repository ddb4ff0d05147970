/** Writers that issue, rotate and revoke over HTTP and note what was acknowledged, and an auditor that compares (I1, I2, I4, I5). */
import { begin, PUBLIC, redemption, type Tokens } from '../support/oauth-client.js';
import type { SeededChoice } from './seeded-choice.js';

type Operation = 'begin' | 'approve' | 'redeem' | 'rotate' | 'revoke';

/** What was acknowledged of one grant. */
export interface GrantHistory {
  /** Asked for, and not answered: it happened or it did not. */
  inFlight: Operation | undefined;
  tokens?: Tokens;
  revoked: boolean;
}

/** Thrown if the outcome of a request is unknown. */
class Unanswered extends Error {}

/** Where requests go, and what is seen of their answers. */
export interface Service {
  /** Of the instance that is asked next. */
  readonly url: () => string;
  /** Whether a request that was cut off, or could not connect, is what the fault explains. */
  readonly mayBreak: (error: unknown, url: string) => boolean;
  readonly violations: string[];
  answered: number;
  unavailable: number;
  broken: number;
  longestMs: number;
}

const MAX_ROTATIONS = 4;
/** Longer than every wait of ours: who is not answered by then hangs. */
const HANG_MS = 15_000;

export function createService(url: () => string, mayBreak: Service['mayBreak']): Service {
  return { url, mayBreak, violations: [], answered: 0, unavailable: 0, broken: 0, longestMs: 0 };
}

/** Creates and consumes grants one after the other until stopped. */
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
      await liveThrough(service, history, choice.between(0, MAX_ROTATIONS), choice.between(0, 2) === 0);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      // What is away is not asked without a pause.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function liveThrough(
  service: Service,
  history: GrantHistory,
  rotations: number,
  revokes: boolean,
): Promise<void> {
  const begun = await answered(service, async (url) => ({ url, begun: await beginAt(url) }));
  history.inFlight = 'approve';
  const approval = { authorization_id: begun.begun.authorizationId };
  const { code } = await post<{ code: string }>(service, '/oauth/authorize/approve', approval);
  history.inFlight = 'redeem';
  history.tokens = await post<Tokens>(service, '/oauth/token', redemption(begun.begun, code));
  for (let rotation = 0; rotation < rotations; rotation += 1) {
    history.inFlight = 'rotate';
    history.tokens = await post<Tokens>(service, '/oauth/token', refreshOf(history.tokens));
  }
  if (revokes) {
    history.inFlight = 'revoke';
    const { access_token: token } = history.tokens;
    const body = { token, client_id: PUBLIC.clientId, cascade: true };
    const { revoked } = await post<{ revoked: boolean }>(service, '/oauth/revoke', body);
    if (!revoked) service.violations.push('a token that is good was told as not revoked');
    history.revoked = true;
  }
  history.inFlight = undefined;
}

export function refreshOf({ refresh_token }: Tokens) {
  return { grant_type: 'refresh_token', refresh_token, client_id: PUBLIC.clientId };
}

/** Compares what was acknowledged with what holds now; uses the grants up. */
export async function audit(service: Service, histories: readonly GrantHistory[]): Promise<number> {
  let audited = 0;
  for (const { inFlight, tokens, revoked } of histories) {
    if (tokens === undefined) continue;
    audited += 1;
    const access = await statusOf(service, tokens.access_token);
    const refreshed = await send(service, '/oauth/token', refreshOf(tokens));
    const seen = `${revoked ? 'revoked' : 'living'}, ${inFlight ?? 'nothing'} under way: access ${access}, refresh ${refreshed.status}`;
    const dead = access === 401 && refreshed.status === 400;
    const alive = access === 200 && refreshed.status === 200;
    const rotatedUnseen = inFlight === 'rotate' && access === 200 && refreshed.status === 400;
    const right = revoked ? dead : alive || rotatedUnseen || (inFlight === 'revoke' && dead);
    if (!right) service.violations.push(seen);
    // The token was rotated before, and this was a replay: all of it is over now.
    if (rotatedUnseen && (await statusOf(service, tokens.access_token)) !== 401) {
      service.violations.push(`${seen}, and the access token outlived the replay`);
    }
  }
  return audited;
}

/** Rows that no sequence of whole operations leaves behind. */
export async function auditRows(
  readRows: (text: string) => Promise<readonly unknown[]>,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const [what, text] of HALF_DONE) {
    const rows = await readRows(text);
    if (rows.length > 0) violations.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return violations;
}

const HALF_DONE: readonly (readonly [what: string, text: string])[] = [
  [
    'a code that was used up without tokens',
    `select id from authorization_record a where status = 'consumed'
     and not exists (select 1 from access_token t where t.authorization_id = a.id)`,
  ],
  [
    'tokens of a code that was not used up',
    `select a.id from authorization_record a join access_token t on t.authorization_id = a.id
     where a.status not in ('consumed', 'revoked')`,
  ],
  [
    'a family in force without one living generation',
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

/** What a bearer of the token is answered. */
export async function statusOf(service: Service, accessToken: string): Promise<number> {
  const response = await answered(service, async (url) => {
    const sent = await fetch(`${url}/userinfo`, {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(HANG_MS),
    });
    await sent.arrayBuffer();
    return sent;
  });
  return response.status;
}

/** Sends a request and returns its response. Throws if the outcome is unknown. */
async function send(
  service: Service,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return await answered(service, async (url) => {
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

async function post<Answer>(service: Service, path: string, body: unknown): Promise<Answer> {
  const answer = await send(service, path, body);
  if (answer.status !== 200) {
    service.violations.push(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    throw new Unanswered();
  }
  return answer.body as Answer;
}

async function beginAt(url: string) {
  const begun = await inTime(begin({ url }));
  // The answer of a store that is away leads nowhere.
  if (begun.authorizationId === '') throw new Unanswered();
  return begun;
}

function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer for ${HANG_MS} ms`)), HANG_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** Counts requests with and without a response. */
async function answered<Answer>(service: Service, ask: (url: string) => Promise<Answer>): Promise<Answer> {
  const url = service.url();
  const from = performance.now();
  try {
    const answer = await ask(url);
    const { status, headers } = answer as { status?: number; headers?: Headers };
    if (status === 503) {
      service.unavailable += 1;
      if (headers?.get('retry-after') == null) service.violations.push('503 without Retry-After');
      throw new Unanswered();
    }
    service.answered += 1;
    return answer;
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    service.broken += 1;
    if (!service.mayBreak(error, url)) service.violations.push(`${url}: ${reasonOf(error)}`);
    throw new Unanswered();
  } finally {
    service.longestMs = Math.max(service.longestMs, performance.now() - from);
  }
}

/** What is behind the sentence "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `${error.message} ${code}`.trim();
}

/** Says what a run found, and sets the exit code. */
export function report(title: string, violations: readonly string[]): void {
  for (const violation of violations.slice(0, 20)) process.stdout.write(`VIOLATION ${violation}\n`);
  process.stdout.write(
    `${title}: ${violations.length === 0 ? 'holds' : `${violations.length} violations`}\n`,
  );
  if (violations.length > 0) process.exitCode = 1;
}
