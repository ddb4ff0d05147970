/** API calls with a token. */
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import type { StartedService } from './start-service.js';

export interface HttpResponse {
  readonly status: number;
  /** Untyped, since tests assert its contents. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
  readonly headers: Headers;
}

/** Calls an endpoint with a bearer token. The default method is POST with a body, else GET. */
export async function call(
  { url }: StartedService,
  path: string,
  token?: string,
  body?: unknown,
  method: string = body === undefined ? 'GET' : 'POST',
): Promise<HttpResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Ingests an unsigned JSON credential as the administrator. */
export function ingest(
  started: StartedService,
  person: string,
  credential: Readonly<Record<string, unknown>>,
): Promise<HttpResponse> {
  return call(started, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, {
    identifier: `id|${person}`,
    credential: { source: 'Registry', issuedAt: '2020-01-01T00:00:00Z', ...credential },
  });
}
