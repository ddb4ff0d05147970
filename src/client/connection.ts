/** The connection to the service: cached discovery, JSON requests, errors; no retries. */

import * as oauth from 'oauth4webapi';
import { omitUndefined } from '../util/omit-undefined.js';
import { invalidResponse, toClientError } from './client-error.js';
import { jsonText } from './json-text.js';
import { membersOf, readResponse, rejectAsInvalid } from './read-response.js';
import type { ResolvedSettings } from './settings.js';

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export const CALL_OPTIONS: readonly (keyof CallOptions)[] = ['signal'];

/** A request to the service. */
export interface ServiceRequest extends CallOptions {
  /** Path below the issuer, with the query string. */
  readonly path: string;
  /** Sent as JSON with POST. */
  readonly body?: unknown;
  readonly headers?: Headers;
  /** A member that every response to this request has. */
  readonly member: string;
}

/** Headers and body members that authenticate the application. */
interface AuthenticationParts {
  readonly headers: Headers;
  readonly members: object;
}

/** A connection to the service. */
export interface Connection {
  readonly settings: ResolvedSettings;
  /** Returns the metadata of the authorization server (RFC 8414). */
  metadata(options?: CallOptions): Promise<oauth.AuthorizationServer>;
  /** Sends a request. @throws {ClientError} Without a response, or for an error response. @throws {TypeError} If its body is not JSON. */
  request(request: ServiceRequest): Promise<unknown>;
  /** Authenticates by the method registered for the token endpoint. */
  authenticate(options?: CallOptions): Promise<AuthenticationParts>;
  /** Authenticates by secret or key, regardless of the method registered for the token endpoint. */
  authenticateWithCredential(options?: CallOptions): Promise<AuthenticationParts>;
}

/** Creates a connection. Sends no request. */
export function createConnection(settings: ResolvedSettings): Connection {
  let found: Promise<oauth.AuthorizationServer> | undefined;
  const metadata = async ({ signal }: CallOptions = {}) => {
    // Shared by concurrent calls: an abort of one must not abort the others.
    found ??= discover(settings).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return await rejectOnAbort(found, signal);
  };
  const authenticateBy = async (method: oauth.ClientAuth, options: CallOptions | undefined) => {
    const [headers, members] = [new Headers(), new URLSearchParams()];
    await method(await metadata(options), settings.application, members, headers);
    return { headers, members: Object.fromEntries(members) };
  };
  return {
    settings,
    metadata,
    request: async (request) => {
      // Throws a TypeError if the body is not JSON. Inside `readResponse`, it would be reported as a network failure.
      const send = prepareRequest(request, settings);
      const { response, body } = await readResponse(send, request.signal);
      if (!response.ok) throw toClientError(response, body);
      if (typeof body !== 'object' || body === null)
        throw invalidResponse('The response is not a JSON object.');
      if (!(request.member in body)) throw invalidResponse(`The response has no \`${request.member}\`.`);
      return body;
    },
    authenticate: (options) => authenticateBy(settings.authentication, options),
    authenticateWithCredential: (options) => authenticateBy(settings.credentialAuthentication, options),
  };
}

/** Returns the options of oauth4webapi for a request. */
export function requestOptions({ fetch, insecure }: ResolvedSettings, signal: AbortSignal | undefined) {
  return {
    [oauth.customFetch]: (url: string, options: object) => fetch(url, options),
    [oauth.allowInsecureRequests]: insecure,
    ...omitUndefined({ signal }),
  };
}

async function discover(settings: ResolvedSettings): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const options = { algorithm: 'oidc', ...requestOptions(settings, sharedTimeoutSignal()) } as const;
  const { response, body } = await readResponse(() => oauth.discoveryRequest(issuer, options), undefined);
  if (!response.ok) throw toClientError(response, body);
  const server = await rejectAsInvalid(
    oauth.processDiscoveryResponse(issuer, response),
    `The server metadata must be valid, with the \`issuer\` \`${settings.issuer}\` (got ${JSON.stringify(membersOf(body)['issuer'])}).`,
  );
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const) {
    if (!isEndpoint(server[name], settings))
      throw invalidResponse(`The server metadata has no valid \`${name}\`.`);
  }
  return server;
}

/** Whether a value is an https URL, or http if the issuer is. Applications navigate to it, so `javascript:` would run a script. */
function isEndpoint(value: unknown, { insecure }: ResolvedSettings): boolean {
  if (typeof value !== 'string') return false;
  try {
    const { protocol } = new URL(value);
    return protocol === 'https:' || (insecure && protocol === 'http:');
  } catch {
    return false;
  }
}

/** Returns a function that sends a request. @throws {TypeError} If the body is not JSON. */
function prepareRequest(
  { path, body, headers = new Headers(), signal }: ServiceRequest,
  settings: ResolvedSettings,
) {
  headers.set('Accept', 'application/json');
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: jsonText(body) }),
    ...omitUndefined({ signal }),
  };
  return () => settings.fetch(`${settings.issuer}${path}`, options);
}

const SHARED_WORK_MS = 30_000;

/** Returns the timeout of work that several calls share. The calls cannot abort the work. */
export function sharedTimeoutSignal(): AbortSignal {
  return AbortSignal.timeout(SHARED_WORK_MS);
}

/** Rejects with the signal's reason if it aborts first. The work itself continues, since other calls may wait for it. */
export async function rejectOnAbort<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return await work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
