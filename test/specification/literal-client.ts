/** A client that follows the interface specification literally: it sends JSON, with only the members that the specification shows. */
import { SANDBOX_CLIENT_SECRET, SANDBOX_PKCE_CLIENT_ID } from '../../src/service/index.js';
import { begin, type PendingAuthorization } from '../support/oauth-client.js';
import type { StartedService } from '../support/start-service.js';

export const CLIENT_ID = SANDBOX_PKCE_CLIENT_ID;
export const CLIENT_SECRET = SANDBOX_CLIENT_SECRET;
export const REDIRECT_URI = 'http://127.0.0.1/callback';

/** A scope of each kind that the specification shows, and the scopes that the called endpoints require. */
export const SCOPES = [
  'openid',
  'profile.full',
  'identity:read',
  'identity:date_of_birth',
  'financial:net_worth',
  'kyc:read',
];

export interface ClientResponse {
  readonly status: number;
  readonly type: string;
  /** Untyped, since tests check its shape. */
  // biome-ignore lint/suspicious/noExplicitAny: tests check responses of every shape
  readonly body: any;
}

/** The steps of one grant, from the authorization request to the tokens. */
export interface CompletedGrant {
  readonly pending: PendingAuthorization;
  readonly approval: ClientResponse;
  readonly tokens: ClientResponse;
  readonly accessToken: string;
}

/** The calls of the specification. Records each response with the status 200 under its endpoint. */
export interface LiteralClient {
  readonly responses: ReadonlyMap<string, readonly unknown[]>;
  get(path: string, token?: string): Promise<ClientResponse>;
  post(path: string, body: object, token?: string): Promise<ClientResponse>;
  evaluate(query: object, token: string): Promise<ClientResponse>;
  context(authorizationId: string): Promise<ClientResponse>;
  /** Starts an authorization as a browser does; the specification does not describe that step. */
  begin(scopes?: readonly string[], person?: string): Promise<PendingAuthorization>;
  approve(authorizationId: string, scopes?: readonly string[]): Promise<ClientResponse>;
  exchange(pending: PendingAuthorization, code: string): Promise<ClientResponse>;
  /** Runs all steps up to an access token. */
  completeGrant(scopes?: readonly string[], person?: string): Promise<CompletedGrant>;
}

/** @param started - A running sandbox service. */
export function createLiteralClient({ url }: StartedService): LiteralClient {
  const responses = new Map<string, unknown[]>();
  const send = async (label: string, path: string, init: RequestInit): Promise<ClientResponse> => {
    const response = await fetch(`${url}${path}`, init);
    const body: unknown = await response.json();
    if (response.status === 200) responses.set(label, [...(responses.get(label) ?? []), body]);
    return { status: response.status, type: response.headers.get('content-type') ?? '', body };
  };
  const authorized = (token: string | undefined): Readonly<Record<string, string>> =>
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const client: LiteralClient = {
    responses: responses,
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
    completeGrant: async (scopes = SCOPES, person = 'ada') => {
      const pending = await client.begin(scopes, person);
      const approval = await client.approve(pending.authorizationId, scopes);
      const tokens = await client.exchange(pending, approval.body.code);
      return { pending, approval, tokens, accessToken: tokens.body.access_token };
    },
  };
  return client;
}

function kindOf(query: unknown): 'projection' | 'predicate' {
  return typeof query === 'object' && query !== null && 'projections' in query ? 'projection' : 'predicate';
}
