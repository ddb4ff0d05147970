/** Clients with pushed authorization requests (RFC 9126). */
import type { HttpResponse } from './call.js';
import {
  authorizationQuery,
  authorize,
  createPkce,
  type PendingAuthorization,
  PUBLIC,
} from './oauth-client.js';

/** A running service, started by the test or not. */
interface Reachable {
  readonly url: string;
}

type Changes = Readonly<Record<string, string | undefined>>;

/** Sends a form to the PAR endpoint. */
export async function postPushedForm(
  { url }: Reachable,
  form: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const response = await fetch(`${url}/oauth/par`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Pushes the request of {@link authorizationQuery}, with changes. */
export function pushRequest(
  started: Reachable,
  changes: Changes = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  return postPushedForm(started, authorizationQuery(changes), headers);
}

/** Pushes a valid request and returns its `request_uri`. */
export async function createRequestUri(
  started: Reachable,
  changes: Changes = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, body } = await pushRequest(started, changes, headers);
  if (status !== 201) throw new Error(`the request was not accepted: ${JSON.stringify(body)}`);
  return body.request_uri as string;
}

/** Sends a new browser to the authorization endpoint with a `request_uri`. */
export function useRequestUri(
  started: Reachable,
  requestUri: string,
  clientId: string = PUBLIC.clientId,
  more = '',
): Promise<Response> {
  const query = new URLSearchParams({ client_id: clientId, request_uri: requestUri });
  return authorize(started, `${query}${more}`);
}

/** Begins an authorization in a new browser by a pushed request. */
export async function beginPushed(
  started: Reachable,
  changes: Changes = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<PendingAuthorization> {
  const { verifier, challenge } = createPkce();
  const requestUri = await createRequestUri(started, { code_challenge: challenge, ...changes }, headers);
  const clientId = changes['client_id'] ?? PUBLIC.clientId;
  const response = await useRequestUri(started, requestUri, clientId);
  const location = new URL(response.headers.get('location') ?? '', started.url);
  return {
    authorizationId: location.searchParams.get('authorization_id') ?? '',
    verifier,
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    clientId,
    redirectUri: changes['redirect_uri'] ?? PUBLIC.redirectUri,
  };
}
