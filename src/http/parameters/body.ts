/** Reads a request's body: bounded while it arrives, UTF-8, of a type that the endpoint takes (S12–S15, S18). */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../service/index.js';
import { stateOf } from '../request-state.js';
import { parseForm } from './form.js';
import { malformed } from './malformed.js';
import { parseStrictJson } from './strict-json.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A body's members by name: texts from a form, any JSON value from JSON. */
export type Parameters = ReadonlyMap<string, unknown>;

/**
 * Reads a body of JSON whose top level is an object.
 *
 * @throws {ServiceError} `unsupported_media_type`; `body_too_large`, without reading the rest; `malformed_body` with the problem.
 */
export async function readJsonBody(request: IncomingMessage): Promise<Parameters> {
  assertType(request, [JSON_TYPE], 'application/json');
  return parseJsonObject(decodeUtf8(await readBytes(request)));
}

/** Reads a body of JSON or of a form, as OAuth's clients send either (D13). Throws as {@link readJsonBody} does. */
export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const accepted = 'application/x-www-form-urlencoded, application/json';
  assertType(request, [JSON_TYPE, FORM_TYPE], accepted);
  const text = decodeUtf8(await readBytes(request));
  return JSON_TYPE.test(request.headers['content-type'] ?? '') ? parseJsonObject(text) : parseForm(text);
}

/** Reads the body of a form. Throws as {@link readJsonBody} does. */
export async function readForm(request: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  assertType(request, [FORM_TYPE], 'application/x-www-form-urlencoded');
  return parseForm(decodeUtf8(await readBytes(request)));
}

function assertType(request: IncomingMessage, types: readonly RegExp[], accept: string): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  if (types.some((candidate) => candidate.test(type)) && encoding === undefined) return;
  throw new ServiceError('unsupported_media_type', { accept });
}

function parseJsonObject(text: string): Parameters {
  const outcome = parseStrictJson(text);
  if (!outcome.accepted) throw new ServiceError('malformed_body', { problems: [outcome.problem] });
  const { value } = outcome;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('', 'not_an_object', 'The body is a JSON object.');
  }
  return new Map(Object.entries(value));
}

/** Whether a request says beforehand that its body is larger than the limit. Never throws. */
export function announcesTooLarge({ headers }: IncomingMessage, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes;
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const { limits, work } = stateOf(request);
  const { bodyBytes } = limits;
  if (announcesTooLarge(request, bodyBytes)) throw tooLarge(bodyBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  work.underWay -= 1;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      // The announced length may be absent.
      if (length > bodyBytes) throw tooLarge(bodyBytes);
      chunks.push(chunk);
    }
  } finally {
    work.underWay += 1;
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', { limit });
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    // A byte order mark stays in the text, where it is no JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('', 'utf8_malformed', 'The body is UTF-8.');
  }
}
