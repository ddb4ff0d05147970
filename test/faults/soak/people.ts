/** A simulated user of the service in a soak test, who performs actions and throws on unexpected responses. */
import { createHash } from 'node:crypto';
import { PUBLIC } from '../../support/oauth-client.js';
import type { SeededChoice } from '../seeded-choice.js';
import { NoResponse, type SoakRequest, type SoakResponse } from './requests.js';
import { type ExpectedResults, PRESETS, type QueryExpectation, SCOPES, toText } from './verdicts.js';

const VERIFIER = 'a-verifier-that-is-good-for-every-request-here';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export type Action =
  | 'query'
  | 'presets'
  | 'userinfo'
  | 'authorize'
  | 'refresh'
  | 'replay'
  | 'revoke'
  | 'bad request';

/** The frequency of each action, in percent. */
export const ACTIONS: readonly (readonly [action: Action, share: number])[] = [
  ['query', 58],
  ['presets', 10],
  ['userinfo', 8],
  ['authorize', 6],
  ['refresh', 8],
  ['replay', 1],
  ['revoke', 3],
  ['bad request', 6],
];

/** Thrown if a response differs from the expected one. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';
}

/** Sends, measures and counts a request. Rejects without a response, or with the status 503. */
export type Send = (request: SoakRequest) => Promise<SoakResponse>;

interface TokenSet {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly app_scoped_user_id: string;
}

export interface Person {
  /** Whether an action is in progress. One at a time, so that the tokens held here match the service's. */
  busy: boolean;
  /**
   * Performs an action. Without tokens (at first, after `replay` and `revoke`, and after an action of unknown outcome), actions other than
   * `bad request` are replaced by a login.
   *
   * @throws {UnexpectedResponse} Also rejects with the errors of `send`.
   */
  perform(action: Action, send: Send, choice: SeededChoice): Promise<void>;
}

export function createPerson(name: string, expected: ExpectedResults): Person {
  let current: TokenSet | undefined;
  let subject: string | undefined;
  const person: Person = {
    busy: false,
    perform: async (action, send, choice) => {
      const tokens = current;
      // These actions end or replace the tokens; if a request fails, the outcome is unknown.
      if (action !== 'query' && action !== 'presets' && action !== 'userinfo' && action !== 'bad request')
        current = undefined;
      if (action === 'bad request') return await sendBadRequest(send, choice);
      if (tokens === undefined || action === 'authorize') {
        current = await logIn(send, name);
        // The pairwise identifier is the same after each login.
        subject ??= current.app_scoped_user_id;
        expectSame('the subject', current.app_scoped_user_id, subject);
        return;
      }
      switch (action) {
        case 'query':
          return await query(send, tokens, expected.queries[choice.between(0, expected.queries.length)]);
        case 'presets':
          return await presets(send, tokens, expected.presets);
        case 'userinfo':
          return await userInfo(send, tokens, 200);
        case 'refresh': {
          current = await refresh(send, tokens);
          return;
        }
        case 'replay': {
          await refresh(send, tokens);
          const replay = await send(refreshRequest(tokens));
          expectStatus('a refresh token that was rotated', replay, 400);
          return await userInfo(send, tokens, 401);
        }
        case 'revoke': {
          const form = { token: tokens.access_token, client_id: PUBLIC.clientId, cascade: 'true' };
          const response = await send({ path: '/v2/oauth/revoke', form });
          expectStatus('a revocation', response, 200);
          expectSame('revoked', (response.body as { revoked: boolean }).revoked, true);
          await userInfo(send, tokens, 401);
          expectStatus('a refresh token after the revocation', await send(refreshRequest(tokens)), 400);
        }
      }
    },
  };
  return person;
}

/** Completes a login. */
export async function logIn(send: Send, name: string, scopes: readonly string[] = SCOPES): Promise<TokenSet> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: PUBLIC.clientId,
    redirect_uri: PUBLIC.redirectUri,
    scope: scopes.join(' '),
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    login_hint: name,
  });
  const pending = await send({ path: `/v2/oauth/authorize?${query}` });
  expectStatus('a request for authorization', pending, 303);
  const id = new URL(String(pending.headers['location'])).searchParams.get('authorization_id');
  const approved = await send({ path: '/v2/oauth/authorize/approve', json: { authorization_id: id } });
  expectStatus('an approval', approved, 200);
  const redeemed = await send({
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
  return redeemed.body as TokenSet;
}

function refreshRequest({ refresh_token }: TokenSet): SoakRequest {
  const form = { grant_type: 'refresh_token', refresh_token, client_id: PUBLIC.clientId };
  return { path: '/v2/oauth/token', form };
}

async function refresh(send: Send, tokens: TokenSet): Promise<TokenSet> {
  const response = await send(refreshRequest(tokens));
  expectStatus('a refresh', response, 200);
  return response.body as TokenSet;
}

async function query(send: Send, tokens: TokenSet, expectation: QueryExpectation | undefined): Promise<void> {
  const response = await send({
    path: '/v2/queries/evaluate',
    headers: bearer(tokens),
    json: { query: expectation?.query },
  });
  expectStatus('a query', response, 200);
  expectSame(
    `the result of ${JSON.stringify(expectation?.query)}`,
    toText(response.body),
    expectation?.expected,
  );
}

async function presets(send: Send, tokens: TokenSet, expected: string): Promise<void> {
  const names = PRESETS.map(([preset]) => preset);
  const json = { presets: [...names, 'no_such_preset'] };
  const response = await send({ path: '/v2/presets/batch', headers: bearer(tokens), json });
  expectStatus('presets', response, 200);
  const { results, errors } = response.body as {
    results: readonly { preset: string; value: unknown }[];
    errors: readonly unknown[];
  };
  const values = names.map((name) => [name, results.find(({ preset }) => preset === name)?.value]);
  expectSame('the presets', JSON.stringify(Object.fromEntries(values)), expected);
  expectSame('the number of results and errors', results.length + errors.length, json.presets.length);
}

async function userInfo(send: Send, tokens: TokenSet, status: number): Promise<void> {
  const response = await send({ path: '/v2/userinfo', headers: bearer(tokens) });
  expectStatus('user information', response, status);
  if (status === 200)
    expectSame('the subject', (response.body as { sub: string }).sub, tokens.app_scoped_user_id);
}

const BAD_REQUESTS: readonly (readonly [request: SoakRequest, status: number])[] = [
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

async function sendBadRequest(send: Send, choice: SeededChoice): Promise<void> {
  const [request, status] = BAD_REQUESTS[choice.between(0, BAD_REQUESTS.length)] ?? [{ path: '/' }, 404];
  try {
    expectStatus(`a bad request for ${request.path.slice(0, 40)}`, await send(request), status);
  } catch (error) {
    // A client that is still sending a body that is too large may lose the response with the connection.
    if (status !== 413 || !(error instanceof NoResponse) || error.timedOut) throw error;
  }
}

export function bearer({ access_token }: Pick<TokenSet, 'access_token'>): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${access_token}` };
}

function expectStatus(what: string, { status, body }: SoakResponse, expected: number): void {
  if (status !== expected)
    throw new UnexpectedResponse(
      `${what} was answered with ${status} instead of ${expected}: ${JSON.stringify(body).slice(0, 200)}`,
    );
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new UnexpectedResponse(`${what} must be ${String(expected)} (got ${String(found)})`);
}
