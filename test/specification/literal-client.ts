/** A client that is written from the interface specification word for word: JSON in and out, and no member that it does not show. */
import { SANDBOX_CLIENT_SECRET, SANDBOX_PKCE_CLIENT_ID } from '../../src/service/index.js';
import { begin, type PendingAuthorization } from '../support/oauth-client.js';
import type { StartedService } from '../support/start-service.js';

export const CLIENT_ID = SANDBOX_PKCE_CLIENT_ID;
export const CLIENT_SECRET = SANDBOX_CLIENT_SECRET;
export const REDIRECT_URI = 'http://127.0.0.1/callback';

/** Every kind of scope that the specification shows, and what the other endpoints need. */
export const SCOPES = [
  'openid',
  'profile.full',
  'identity:read',
  'identity:date_of_birth',
  'financial:net_worth',
  'kyc:read',
];

export interface Answer {
  readonly status: number;
  readonly type: string;
  /** Loosely typed: what it holds is what tests are about. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** A person's agreement, up to its tokens. */
export interface Agreement {
  readonly begun: PendingAuthorization;
  readonly approval: Answer;
  readonly tokens: Answer;
  readonly accessToken: string;
}

/** The calls of the specification. Each answer is kept under its endpoint. */
export interface LiteralClient {
  readonly answers: ReadonlyMap<string, readonly unknown[]>;
  get(path: string, token?: string): Promise<Answer>;
  post(path: string, body: object, token?: string): Promise<Answer>;
  evaluate(query: object, token: string): Promise<Answer>;
  context(authorizationId: string): Promise<Answer>;
  /** Begins an authorization as a browser does, which the specification leaves out. */
  begin(scopes?: readonly string[], person?: string): Promise<PendingAuthorization>;
  approve(authorizationId: string, scopes?: readonly string[]): Promise<Answer>;
  exchange(begun: PendingAuthorization, code: string): Promise<Answer>;
  /** From the beginning to an access token. */
  agree(scopes?: readonly string[], person?: string): Promise<Agreement>;
}

/** @param started - A sandbox. */
export function createLiteralClient({ url }: StartedService): LiteralClient {
  const answers = new Map<string, unknown[]>();
  const send = async (label: string, path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init);
    const body: unknown = await response.json();
    if (response.status === 200) answers.set(label, [...(answers.get(label) ?? []), body]);
    return { status: response.status, type: response.headers.get('content-type') ?? '', body };
  };
  const authorized = (token: string | undefined): Readonly<Record<string, string>> =>
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const client: LiteralClient = {
    answers,
    get: (path, token) => send(`GET ${path.split('?')[0]}`, path, { headers: authorized(token) }),
    post: (path, body, token) => {
      const kind = 'query' in body ? ` (${kindOf(body.query)})` : '';
      return send(`POST ${path}${kind}`, path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...authorized(token) },
        body: JSON.stringify(body),
      });
    },
    evaluate: (query, token) => client.post('/queries/evaluate', { query }, token),
    context: (id) => client.get(`/oauth/authorize/context?authorization_id=${id}`),
    begin: (scopes = SCOPES, person = 'ada') =>
      begin(
        { url },
        {
          client_id: CLIENT_ID,
          redirect_uri: REDIRECT_URI,
          scope: scopes.join(' '),
          state: 'state-1',
          nonce: 'nonce-1',
          login_hint: person,
        },
      ),
    approve: (authorization_id, scopes) =>
      client.post('/oauth/authorize/approve', {
        authorization_id,
        ...(scopes === undefined ? {} : { scopes }),
      }),
    exchange: ({ verifier }, code) =>
      client.post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        client_id: CLIENT_ID,
        code_verifier: verifier,
      }),
    agree: async (scopes = SCOPES, person = 'ada') => {
      const begun = await client.begin(scopes, person);
      const approval = await client.approve(begun.authorizationId, scopes);
      const tokens = await client.exchange(begun, approval.body.code);
      return { begun, approval, tokens, accessToken: tokens.body.access_token };
    },
  };
  return client;
}

function kindOf(query: unknown): 'projection' | 'predicate' {
  return typeof query === 'object' && query !== null && 'projections' in query ? 'projection' : 'predicate';
}
