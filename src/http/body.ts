/** Reads a request's body: bounded while it arrives, UTF-8, of a type that the endpoint takes (S12–S15, S18). */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../service/index.js';
import { parseStrictJson } from './strict-json.js';

/** Larger than any query that is within the language's limits in practice. */
const MAX_BODY_BYTES = 65_536;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a body of JSON whose top level is an object.
 *
 * @throws {ServiceError} `unsupported_media_type`; `body_too_large`, without reading the rest; `malformed_body` with the problem.
 */
export async function readJsonBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (type === undefined || !JSON_TYPE.test(type) || encoding !== undefined) {
    throw new ServiceError('unsupported_media_type', { accept: 'application/json' });
  }
  const outcome = parseStrictJson(decodeUtf8(await readBytes(request)));
  if (!outcome.accepted) throw new ServiceError('malformed_body', { problems: [outcome.problem] });
  const { value } = outcome;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('', 'not_an_object', 'The body is a JSON object.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** A body that is refused for one thing. */
export function malformed(pointer: string, code: string, message: string): ServiceError {
  return new ServiceError('malformed_body', { problems: [{ pointer, code, message }] });
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // The announced length may lie, or be absent.
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ServiceError {
  return new ServiceError('body_too_large', { limit: MAX_BODY_BYTES });
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    // A byte order mark stays in the text, where it is no JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('', 'utf8_malformed', 'The body is UTF-8.');
  }
}
