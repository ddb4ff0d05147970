/** Reads request bodies: limited in size, UTF-8, of an accepted media type, without duplicate names (S12–S15, S18, S33–S36, S40). */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { pointerTo } from '../../engine/problems.js';
import { ServiceError } from '../../service/index.js';
import { parseStrictJson } from '../../service/json/strict-json.js';
import { malformed } from '../errors.js';
import type { RequestContext } from '../request-context.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The members of a body by name: strings from a form, JSON values from JSON. */
export type Parameters = ReadonlyMap<string, unknown>;

/**
 * Reads a JSON object with at most `maxEntries` members and items.
 *
 * @throws {ServiceError} `unsupported_media_type`; `body_too_large`, without reading the rest; `malformed_body` with the problem.
 * @throws {Error} `request.errored`, if the client disconnected.
 */
export async function readJsonBody(context: RequestContext, maxEntries?: number): Promise<Parameters> {
  return parseJsonObject(await readJsonText(context), maxEntries);
}

/** Reads the text of a JSON body without parsing it. Throws errors of {@link readJsonBody}, except for malformed JSON. */
export function readJsonText(context: RequestContext): Promise<string> {
  return readText(context, [JSON_TYPE], 'application/json');
}

/** Reads a JSON or form body: OAuth clients send either (D13). Throws errors of {@link readJsonBody}. */
export async function readParameters(context: RequestContext): Promise<Parameters> {
  const accepted = 'application/x-www-form-urlencoded, application/json';
  const text = await readText(context, [JSON_TYPE, FORM_TYPE], accepted);
  return isForm(context.request) ? parseForm(text) : parseJsonObject(text, MAX_PARAMETERS);
}

/** Whether the media type of a request is that of a form. Never throws. */
export function isForm({ headers }: IncomingMessage): boolean {
  return FORM_TYPE.test(headers['content-type'] ?? '');
}

/** Reads a form body. Throws errors of {@link readJsonBody}. */
export async function readForm(
  context: RequestContext,
  maxParameters = MAX_PARAMETERS,
): Promise<ReadonlyMap<string, string>> {
  return parseForm(await readText(context, [FORM_TYPE], 'application/x-www-form-urlencoded'), maxParameters);
}

async function readText(context: RequestContext, types: readonly RegExp[], accept: string): Promise<string> {
  const { 'content-type': type = '', 'content-encoding': encoding } = context.request.headers;
  if (encoding !== undefined || !types.some((candidate) => candidate.test(type)))
    throw new ServiceError('unsupported_media_type', { accept });
  const bytes = await readBytes(context);
  if (!isUtf8(bytes)) throw malformed('', 'utf8_malformed', 'The body must be valid UTF-8.');
  // Keeps a byte order mark, which JSON does not allow.
  return bytes.toString('utf8');
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
    throw malformed('', 'not_an_object', 'The body must be a JSON object.');
  }
  return new Map(Object.entries(value));
}

/** Whether the `Content-Length` of a request exceeds the limit. Never throws. */
export function declaresTooLarge({ headers }: IncomingMessage, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes;
}

function readBytes({ request, limits, inFlight }: RequestContext): Promise<Buffer> {
  const { bodyBytes } = limits;
  if (declaresTooLarge(request, bodyBytes)) return Promise.reject(tooLarge(bodyBytes));
  inFlight.leave();
  // Events instead of async iteration, which would take longer than all other steps of reading a body.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (settle: () => void) => {
      request.off('data', addChunk).off('end', end).off('error', fail).off('close', fail);
      inFlight.enter();
      settle();
    };
    const addChunk = (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      // `Content-Length` may be absent.
      if (length <= bodyBytes) return;
      request.pause();
      finish(() => reject(tooLarge(bodyBytes)));
    };
    const end = () =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // The client disconnected.
    const fail = () =>
      finish(() =>
        reject(
          request.errored ?? malformed('', 'body_incomplete', 'The body ended before its declared length.'),
        ),
      );
    if (request.destroyed) fail();
    else request.on('data', addChunk).on('end', end).on('error', fail).on('close', fail);
  });
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', { limit });
}

/** Maximum number of parameters of a form or query string, or of members and items of an equivalent JSON body: far more than clients need. */
export const MAX_PARAMETERS = 1_000;
/** The same for approvals. Enough to repeat all scopes and conditions of a request: a URL has 8,192 bytes by default, and an entry takes at least two. */
export const MAX_APPROVAL_ENTRIES = 4_096;
const MAX_NAME_CODE_UNITS = 64;

/**
 * Parses `application/x-www-form-urlencoded` text. A parameter without a value counts as absent (RFC 6749 §3.1).
 *
 * @throws {ServiceError} `malformed_body` for more than `maxParameters`, a repeated name, malformed percent-encoded UTF-8, or U+0000.
 */
export function parseForm(text: string, maxParameters = MAX_PARAMETERS): ReadonlyMap<string, string> {
  const names = new Set<string>();
  const parameters = new Map<string, string>();
  const pairs = text.split('&', maxParameters + 1);
  if (pairs.length > maxParameters)
    throw malformed('', 'body_size', `A request must have at most ${maxParameters} parameters.`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeFormText(pair.slice(equals + 1));
    if (name === undefined || value === undefined || name.includes('\0') || value.includes('\0')) {
      throw malformed('', 'form_malformed', 'Parameters must be percent-encoded UTF-8 without U+0000.');
    }
    if (names.has(name))
      throw malformed(
        pointerTo('', name.slice(0, MAX_NAME_CODE_UNITS).toWellFormed()),
        'parameter_repeated',
        'The parameter must not be repeated.',
      );
    names.add(name);
    if (value !== '') parameters.set(name, value);
  }
  return parameters;
}

/** Form-decodes a string; `undefined` if it is not percent-encoded UTF-8. Never throws. */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
