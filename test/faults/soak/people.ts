/** A user of the service in a soak test, who knows the expected responses and reports others. */
import { createHash } from 'node:crypto';
import { PUBLIC } from '../../support/oauth-client.js';
import type { SeededChoice } from '../seeded-choice.js';
import { type Answer, type Asked, NoAnswer } from './requests.js';
import { PRESETS, SCOPES, type Truths, toText, type Verdict } from './verdicts.js';

const VERIFIER = 'a-verifier-that-is-good-for-every-request-here';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export type Deed =
  | 'query'
  | 'presets'
  | 'userinfo'
  | 'authorize'
  | 'refresh'
  | 'replay'
  | 'revoke'
  | 'bad request';

/** How often each, of a hundred. */
export const DEEDS: readonly (readonly [deed: Deed, share: number])[] = [
  ['query', 58],
  ['presets', 10],
  ['userinfo', 8],
  ['authorize', 6],
  ['refresh', 8],
  ['replay', 1],
  ['revoke', 3],
  ['bad request', 6],
];

/** Thrown where an answer is not what it has to be. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** Sends a request; the caller measures and counts. @throws {NoAnswer} */
export type Ask = (asked: Asked) => Promise<Answer>;

interface Held {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly app_scoped_user_id: string;
}

export interface Person {
  /** Under way with something: one deed at a time, so that what it knows is what there is. */
  busy: boolean;
  /**
   * Performs an action. If its outcome is unknown, the next action is a new login.
   *
   * @throws {WrongAnswer}
   * @throws {NoAnswer}
   */
  does(deed: Deed, ask: Ask, choice: SeededChoice): Promise<void>;
}

export function createPerson(name: string, { verdicts, presets: preset }: Truths): Person {
  let held: Held | undefined;
  let subject: string | undefined;
  const person: Person = {
    busy: false,
    does: async (deed, ask, choice) => {
      const had = held;
      // The outcome is unknown unless the request succeeds.
      if (deed !== 'query' && deed !== 'presets' && deed !== 'userinfo' && deed !== 'bad request')
        held = undefined;
      if (deed === 'bad request') return await askBadly(ask, choice);
      if (had === undefined || deed === 'authorize') {
        held = await logIn(ask, name);
        // The pairwise identifier is the same after each login.
        subject ??= held.app_scoped_user_id;
        expectSame('the subject', held.app_scoped_user_id, subject);
        return;
      }
      switch (deed) {
        case 'query':
          return await query(ask, had, verdicts[choice.between(0, verdicts.length)]);
        case 'presets':
          return await presets(ask, had, preset);
        case 'userinfo':
          return await userInfo(ask, had, 200);
        case 'refresh': {
          held = await refresh(ask, had);
          return;
        }
        case 'replay': {
          await refresh(ask, had);
          const again = await ask(refreshRequest(had));
          expectStatus('a refresh token that was rotated', again, 400);
          return await userInfo(ask, had, 401);
        }
        case 'revoke': {
          const form = { token: had.access_token, client_id: PUBLIC.clientId, cascade: 'true' };
          const answer = await ask({ path: '/v2/oauth/revoke', form });
          expectStatus('a revocation', answer, 200);
          expectSame('revoked', (answer.body as { revoked: boolean }).revoked, true);
          await userInfo(ask, had, 401);
          expectStatus('a refresh token after the revocation', await ask(refreshRequest(had)), 400);
        }
      }
    },
  };
  return person;
}

async function logIn(ask: Ask, name: string): Promise<Held> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: PUBLIC.clientId,
    redirect_uri: PUBLIC.redirectUri,
    scope: SCOPES.join(' '),
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    login_hint: name,
  });
  const begun = await ask({ path: `/v2/oauth/authorize?${query}` });
  expectStatus('a request for authorization', begun, 303);
  const id = new URL(String(begun.headers['location'])).searchParams.get('authorization_id');
  const approved = await ask({ path: '/v2/oauth/authorize/approve', json: { authorization_id: id } });
  expectStatus('an approval', approved, 200);
  const redeemed = await ask({
    path: '/v2/oauth/token',
    json: {
      grant_type: 'authorization_code',
      code: (approved.body as { code: string }).code,
      redirect_uri: PUBLIC.redirectUri,
      client_id: PUBLIC.clientId,
      code_verifier: VERIFIER,
    },
  });
  expectStatus('a redemption', redeemed, 200);
  return redeemed.body as Held;
}

function refreshRequest({ refresh_token }: Held): Asked {
  const form = { grant_type: 'refresh_token', refresh_token, client_id: PUBLIC.clientId };
  return { path: '/v2/oauth/token', form };
}

async function refresh(ask: Ask, held: Held): Promise<Held> {
  const answer = await ask(refreshRequest(held));
  expectStatus('a refresh', answer, 200);
  return answer.body as Held;
}

async function query(ask: Ask, held: Held, verdict: Verdict | undefined): Promise<void> {
  const answer = await ask({
    path: '/v2/queries/evaluate',
    headers: bearer(held),
    json: { query: verdict?.query },
  });
  expectStatus('a query', answer, 200);
  expectSame(`the verdict on ${JSON.stringify(verdict?.query)}`, toText(answer.body), verdict?.expected);
}

async function presets(ask: Ask, held: Held, expected: string): Promise<void> {
  const names = PRESETS.map(([preset]) => preset);
  const json = { presets: [...names, 'no_such_preset'] };
  const answer = await ask({ path: '/v2/presets/batch', headers: bearer(held), json });
  expectStatus('presets', answer, 200);
  const { results, errors } = answer.body as {
    results: readonly { preset: string; value: unknown }[];
    errors: readonly unknown[];
  };
  const values = names.map((name) => [name, results.find(({ preset }) => preset === name)?.value]);
  expectSame('the presets', JSON.stringify(Object.fromEntries(values)), expected);
  expectSame('what is told of presets', results.length + errors.length, json.presets.length);
}

async function userInfo(ask: Ask, held: Held, status: number): Promise<void> {
  const answer = await ask({ path: '/v2/userinfo', headers: bearer(held) });
  expectStatus('user information', answer, status);
  if (status === 200)
    expectSame('the subject', (answer.body as { sub: string }).sub, held.app_scoped_user_id);
}

const BAD: readonly (readonly [asked: Asked, status: number])[] = [
  [{ path: '/v2/nothing' }, 404],
  [{ path: '/v2/queries/evaluate' }, 405],
  [{ path: '/v2/userinfo' }, 401],
  [{ path: '/v2/userinfo', headers: { Authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
  [{ path: '/v2/oauth/token', text: '{"grant_type":' }, 400],
  [{ path: '/v2/oauth/token', json: { grant_type: 'password', client_id: PUBLIC.clientId } }, 400],
  [
    {
      path: '/v2/oauth/token',
      json: { grant_type: 'refresh_token', client_id: PUBLIC.clientId, refresh_token: 'x' },
    },
    400,
  ],
  [
    {
      path: '/v2/oauth/introspect',
      form: { client_id: 'sandbox-confidential', client_secret: 'wrong', token: 'x' },
    },
    401,
  ],
  [{ path: '/v2/oauth/revoke', form: { token: 'unknown', client_id: PUBLIC.clientId } }, 200],
  [{ path: '/v2/oauth/authorize?client_id=nobody' }, 400],
  [{ path: '/v2/oauth/authorize/approve', json: { authorization_id: 'x', more: 1 } }, 400],
  [{ path: '/v2/oauth/token', headers: { 'Content-Type': 'text/plain' }, text: '{}' }, 415],
  [{ path: '/v2/oauth/token', text: ' '.repeat(66_000) }, 413],
];

async function askBadly(ask: Ask, choice: SeededChoice): Promise<void> {
  const [asked, status] = BAD[choice.between(0, BAD.length)] ?? [{ path: '/' }, 404];
  try {
    expectStatus(`a bad request for ${asked.path.slice(0, 40)}`, await ask(asked), status);
  } catch (error) {
    // A client that is still sending a body that is too large may lose the response with the connection.
    if (status !== 413 || !(error instanceof NoAnswer) || error.hangs) throw error;
  }
}

function bearer({ access_token }: Held): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${access_token}` };
}

function expectStatus(what: string, { status, body }: Answer, expected: number): void {
  if (status !== expected)
    throw new WrongAnswer(
      `${what} was answered ${status} and not ${expected}: ${JSON.stringify(body).slice(0, 200)}`,
    );
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new WrongAnswer(`${what}: ${String(found)} and not ${String(expected)}`);
}
