/** Reads and validates responses. */
import { ClientError, invalidResponse } from './client-error.js';

/** A response and its body. */
export interface ReadResponse {
  readonly response: Response;
  /** `undefined` if the body is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request and reads its response.
 *
 * @throws {ClientError} `network_failed` without a complete response; `response_invalid` for a redirect that a browser did not follow. Throws the
 *   signal's reason if it was aborted.
 */
export async function readResponse(
  request: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<ReadResponse> {
  try {
    const response = await request();
    // Browsers return status 0 for a redirect that is not followed.
    if (response.status < 200)
      throw invalidResponse('Unexpected redirect: the service does not redirect API requests.');
    const text = await response.text();
    // oauth4webapi reads the body itself: give it a copy.
    const { status, headers } = response;
    const copy = new Response(text === '' ? null : text, { status, headers });
    return { response: copy, body: parseJson(text) };
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof ClientError) throw error;
    throw new ClientError('network_failed', 'The service cannot be reached.', { cause: error });
  }
}

/** Converts errors of oauth4webapi about a response to `response_invalid`. */
export function rejectAsInvalid<Result>(
  work: Promise<Result>,
  message = 'The response is not a valid response of the authorization server.',
): Promise<Result> {
  return work.catch((error: unknown) => {
    throw invalidResponse(message, { cause: withoutResponse(error) });
  });
}

/** Copies an error of oauth4webapi without the response that it contains, so that logging it does not reveal codes and tokens. */
export function withoutResponse(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return Object.assign(new Error(message), { name, ...code });
}

/** Returns a string member. @throws {ClientError} `response_invalid` if it is missing or not a string. */
export function requireString(body: unknown, name: string): string {
  const value = membersOf(body)[name];
  if (typeof value !== 'string')
    throw invalidResponse(`The response has no \`${name}\`, or it is not a string.`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the members of an object; for other values, an empty object. Never throws. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
