/** Answers, read to their ends, and what is wrong with them. */
import { ClientError, invalidResponse } from './client-error.js';

/** An answer, read to its end. */
export interface ReadResponse {
  readonly response: Response;
  /** `undefined` where the body is no JSON. */
  readonly body: unknown;
}

/**
 * Sends a request and reads its answer to the end.
 *
 * @throws {ClientError} `network_failed` when that breaks off. Throws the signal's reason when it was aborted.
 */
export async function readResponse(
  request: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<ReadResponse> {
  try {
    const response = await request();
    // What browsers make of a redirect that is not followed: no answer, and no status either.
    if (response.status < 200) throw invalidResponse('A redirect is no answer of the service.');
    const text = await response.text();
    // The library reads a body itself: it gets one that is here already.
    const { status, headers } = response;
    const copy = new Response(text === '' ? null : text, { status, headers });
    return { response: copy, body: parseJson(text) };
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof ClientError) throw error;
    throw new ClientError('network_failed', 'The service cannot be reached.', { cause: error });
  }
}

/** What the library finds wrong with an answer, as an error of ours. */
export function rejectAsInvalid<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw invalidResponse('The answer is not what the authorization server would say.', {
      cause: withoutResponse(error),
    });
  });
}

/** What the library says, without the answer that it is about: its errors hold that, with codes and tokens, for whoever prints them whole. */
export function withoutResponse(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return Object.assign(new Error(message), { name, ...code });
}

/** A member that has to be a text. @throws {ClientError} `answer_invalid` when it is none. */
export function requireString(body: unknown, name: string): string {
  const value = membersOf(body)[name];
  if (typeof value !== 'string') throw invalidResponse(`The answer has no \`${name}\`.`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Looking into JSON that came from elsewhere. */

/** The members of an object; of everything else none. Never throws. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
