/** The way to the service: discovery once, JSON in and out, refusals as errors, nothing sent twice. */

import * as oauth from 'oauth4webapi';
import { omitUndefined } from '../util/omit-undefined.js';
import { invalidResponse, toClientError } from './client-error.js';
import { readResponse, rejectAsInvalid } from './read-response.js';
import type { ResolvedSettings } from './settings.js';

/** How a single call may be told to end. */
export interface CallOptions {
  /** Ends the call: it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One request to the service. */
export interface ServiceRequest extends CallOptions {
  /** Below the issuer, with its query. */
  readonly path: string;
  /** Sent as JSON, by POST. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** What a request needs to authenticate the application. */
interface AuthenticationParts {
  readonly headers: Headers;
  readonly members: object;
}

/** The way to one service. */
export interface Connection {
  readonly settings: ResolvedSettings;
  /** What the authorization server says of itself (RFC 8414). */
  metadata(options?: CallOptions): Promise<oauth.AuthorizationServer>;
  /** Sends a request. @throws {ClientError} When no answer comes, or one that is no success. */
  request(request: ServiceRequest): Promise<unknown>;
  /** Headers and members by which the application authenticates. */
  authenticate(options?: CallOptions): Promise<AuthenticationParts>;
  /** The same by secret or key, whatever is registered for the token endpoint. */
  authenticateWithCredential(options?: CallOptions): Promise<AuthenticationParts>;
}

/** Connects to the service; asks it nothing yet. */
export function createConnection(settings: ResolvedSettings): Connection {
  let found: Promise<oauth.AuthorizationServer> | undefined;
  const metadata = async ({ signal }: CallOptions = {}) => {
    // What others wait for as well is not ended by one of them.
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
      const { response, body } = await readResponse(() => fetchJson(request, settings), request.signal);
      if (!response.ok) throw toClientError(response, body);
      if (typeof body !== 'object' || body === null) throw invalidResponse('The answer is no JSON object.');
      return body;
    },
    authenticate: (options) => authenticateBy(settings.authentication, options),
    authenticateWithCredential: (options) => authenticateBy(settings.credentialAuthentication, options),
  };
}

/** The library's options for a request of its own. */
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
  const server = await rejectAsInvalid(oauth.processDiscoveryResponse(issuer, response));
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const) {
    if (typeof server[name] !== 'string') throw invalidResponse(`The metadata name no \`${name}\`.`);
  }
  return server;
}

function fetchJson(
  { path, body, headers = new Headers(), signal }: ServiceRequest,
  settings: ResolvedSettings,
) {
  headers.set('Accept', 'application/json');
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  return settings.fetch(`${settings.issuer}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...omitUndefined({ signal }),
  });
}

/** Waiting for work that goes on without whoever waits. */

const SHARED_WORK_MS = 30_000;

/** Ends work that none of those who wait for it can end. */
export function sharedTimeoutSignal(): AbortSignal {
  return AbortSignal.timeout(SHARED_WORK_MS);
}

/** The work's outcome, or the signal's reason where that comes first; the work itself goes on, for others who wait for it. */
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
