/** Single steps of a browser and a client, for tests of intermediate states. */
import { createHash, randomBytes } from 'node:crypto';

/** A running service, started by the test or not. */
interface Reachable {
  readonly url: string;
}

export const PUBLIC = { clientId: 'sandbox-public', redirectUri: 'http://127.0.0.1/callback' };
export const CONFIDENTIAL = {
  clientId: 'sandbox-confidential',
  redirectUri: 'https://meridian.example/oauth/callback',
  secret: 'sandbox-client-secret-not-confidential',
};

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly authorization_id: string;
  readonly app_scoped_user_id: string;
}

export interface PendingAuthorization {
  readonly authorizationId: string;
  readonly verifier: string;
  readonly cookie: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** An authorization with the response that began it, a redirect. */
interface BegunAuthorization extends PendingAuthorization {
  readonly response: Response;
}

/** Creates a PKCE verifier and its S256 challenge. */
export function createPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Returns the query of an authorization request, with changes; members that are `undefined` are left out. */
export function authorizationQuery(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: PUBLIC.clientId,
    redirect_uri: PUBLIC.redirectUri,
    scope: 'openid identity:read kyc:read',
    code_challenge: createPkce().challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    ...changes,
  };
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
}

export function authorize({ url }: Reachable, query: string, cookie?: string): Promise<Response> {
  const headers = cookie === undefined ? {} : { Cookie: cookie };
  return fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual', headers });
}

/** Begins an authorization in a new browser. `authorizationId` is empty if the response has none. */
export async function begin(
  started: Reachable,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<BegunAuthorization> {
  const { verifier, challenge } = createPkce();
  const query = authorizationQuery({ code_challenge: challenge, ...changes });
  const response = await authorize(started, query);
  const location = new URL(response.headers.get('location') ?? '', started.url);
  return {
    authorizationId: location.searchParams.get('authorization_id') ?? '',
    verifier,
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    clientId: changes['client_id'] ?? PUBLIC.clientId,
    redirectUri: changes['redirect_uri'] ?? PUBLIC.redirectUri,
    response,
  };
}

export function postJson({ url }: Reachable, path: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Approves by the API of the sandbox and returns the code. */
export async function approve(
  started: Reachable,
  { authorizationId }: Pick<PendingAuthorization, 'authorizationId'>,
  scopes?: string[],
): Promise<string> {
  const body = { authorization_id: authorizationId, ...(scopes && { scopes }) };
  const response = await postJson(started, '/oauth/authorize/approve', body);
  const { code } = (await response.json()) as { code: string };
  return code;
}

/** Returns the members of a token request that redeems a code. */
export function redemption(
  pending: PendingAuthorization,
  code: string,
  changes: Readonly<Record<string, unknown>> = {},
) {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: pending.redirectUri,
    client_id: pending.clientId,
    code_verifier: pending.verifier,
    ...(pending.clientId === CONFIDENTIAL.clientId ? { client_secret: CONFIDENTIAL.secret } : {}),
    ...changes,
  };
}

/** Completes a login: begins, approves and redeems. */
export async function logIn(
  started: Reachable,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<Tokens> {
  const pending = await begin(started, changes);
  const response = await postJson(
    started,
    '/oauth/token',
    redemption(pending, await approve(started, pending)),
  );
  if (response.status !== 200) throw new Error(`no tokens: ${await response.text()}`);
  return (await response.json()) as Tokens;
}

/** Changes of {@link begin} for the confidential application. */
export const AS_CONFIDENTIAL = { client_id: CONFIDENTIAL.clientId, redirect_uri: CONFIDENTIAL.redirectUri };

/** Returns whether the user information endpoint accepts an access token. */
export async function isTokenValid({ url }: Reachable, accessToken: string): Promise<boolean> {
  const response = await fetch(`${url}/userinfo`, { headers: { Authorization: `Bearer ${accessToken}` } });
  return response.status === 200;
}

export function refresh(started: Reachable, refreshToken: string, changes = {}): Promise<Response> {
  const body = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: PUBLIC.clientId,
    ...changes,
  };
  return postJson(started, '/oauth/token', body);
}
