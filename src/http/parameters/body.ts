/** Reads a request's body: bounded while it arrives, UTF-8, of a type that the endpoint takes, each name once (S12–S15, S18, S33–S36, S40). */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../service/index.js';
import { parseStrictJson } from '../../service/json/strict-json.js';
import { malformed } from '../errors.js';
import { stateOf } from '../request-state.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A body's members by name: texts from a form, any JSON value from JSON. */
export type Parameters = ReadonlyMap<string, unknown>;

/**
 * Reads a body of JSON whose top level is an object, with as many members and items as `maxEntries` says.
 *
 * @throws {ServiceError} `unsupported_media_type`; `body_too_large`, without reading the rest; `malformed_body` with the problem.
 */
export async function readJsonBody(request: IncomingMessage, maxEntries?: number): Promise<Parameters> {
  return parseJsonObject(await readJsonText(request), maxEntries);
}

/** Reads the text of a body that is said to be JSON. Throws as {@link readJsonBody} does, but for what is wrong with the JSON. */
export async function readJsonText(request: IncomingMessage): Promise<string> {
  assertType(request, [JSON_TYPE], 'application/json');
  return decodeUtf8(await readBytes(request));
}

/** Reads a body of JSON or of a form, as OAuth's clients send either (D13). Throws as {@link readJsonBody} does. */
export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const accepted = 'application/x-www-form-urlencoded, application/json';
  assertType(request, [JSON_TYPE, FORM_TYPE], accepted);
  const text = decodeUtf8(await readBytes(request));
  return JSON_TYPE.test(request.headers['content-type'] ?? '')
    ? parseJsonObject(text, MAX_PARAMETERS)
    : parseForm(text);
}

/** Whether a request says that its body is a form. Never throws. */
export function isForm({ headers }: IncomingMessage): boolean {
  return FORM_TYPE.test(headers['content-type'] ?? '');
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

/**
 * Parses a JSON text whose top level is an object.
 *
 * @throws {ServiceError} `malformed_body` with the problem.
 */
export function parseJsonObject(text: string, maxEntries?: number): Parameters {
  const outcome = parseStrictJson(text, maxEntries);
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

function readBytes(request: IncomingMessage): Promise<Buffer> {
  const { limits, work } = stateOf(request);
  const { bodyBytes } = limits;
  if (announcesTooLarge(request, bodyBytes)) return Promise.reject(tooLarge(bodyBytes));
  work.underWay -= 1;
  // Iterating over the stream would be shorter, and takes longer than all the rest of reading a body.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const give = (settle: () => void) => {
      request.off('data', take).off('end', end).off('error', fail).off('close', fail);
      work.underWay += 1;
      settle();
    };
    const take = (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      // The announced length may be absent.
      if (length <= bodyBytes) return;
      request.pause();
      give(() => reject(tooLarge(bodyBytes)));
    };
    const end = () =>
      give(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // Whoever asked went away.
    const fail = () =>
      give(() => reject(request.errored ?? malformed('', 'body_incomplete', 'The body ends early.')));
    if (request.destroyed) fail();
    else request.on('data', take).on('end', end).on('error', fail).on('close', fail);
  });
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', { limit });
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('', 'utf8_malformed', 'The body is UTF-8.');
  // A byte order mark stays in the text, where it is no JSON.
  return bytes.toString('utf8');
}

/** Parameters of a form or query string, and members and items of a JSON body in their place: far more than any client sends. */
export const MAX_PARAMETERS = 1_000;

/**
 * Parses `application/x-www-form-urlencoded` text. A parameter without a value counts as absent (RFC 6749 §3.1).
 *
 * @throws {ServiceError} `malformed_body` for more than {@link MAX_PARAMETERS}, a name that stands twice, or text that is not percent-encoded UTF-8.
 */
export function parseForm(text: string): ReadonlyMap<string, string> {
  const seen = new Set<string>();
  const parameters = new Map<string, string>();
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw malformed('', 'body_size', `A request must have at most ${MAX_PARAMETERS} parameters.`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeFormText(pair.slice(equals + 1));
    if (name === undefined || value === undefined || name.includes('\0') || value.includes('\0')) {
      throw malformed('', 'form_malformed', 'Parameters are percent-encoded UTF-8 without U+0000.');
    }
    if (seen.has(name)) throw malformed(pointerTo(name), 'parameter_repeated', 'A parameter stands once.');
    seen.add(name);
    if (value !== '') parameters.set(name, value);
  }
  return parameters;
}

/** Form-decodes a text; `undefined` where it is no percent-encoded UTF-8. Never throws. */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function pointerTo(name: string): string {
  return `/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
