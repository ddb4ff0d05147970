/** Strict decoding of compact JWS (RFC 7515 §3.1): canonical base64url, no duplicate members (RFC 8725 §2.4). */
import { base64url } from 'jose';
import { parseStrictJson } from '../service/json/strict-json.js';
import { isPlainObject } from '../util/is-plain-object.js';

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** The parts of a JWS whose signature has not been verified yet. */
export interface CompactJws {
  readonly text: string;
  readonly header: Members;
  readonly payload: Members;
}

/** Thrown for a text that cannot be decoded; the message names the fault and contains no part of the text. */
export class MalformedJws extends Error {}

/**
 * Decodes header and payload. Does not verify the signature.
 *
 * @throws {MalformedJws} If the text does not consist of three parts in canonical base64url, the first two of which are JSON objects.
 */
export function decodeCompactJws(text: string): CompactJws {
  const [header, payload, signature, ...more] = text.split('.');
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw new MalformedJws('A JWT must have three parts.');
  }
  decodeBase64Url(signature);
  return {
    text,
    header: parseObject(decodeBase64Url(header)),
    payload: parseObject(decodeBase64Url(payload)),
  };
}

/**
 * Decodes canonical base64url: rejects padding and non-zero unused bits (RFC 4648 §3.5).
 *
 * @throws {MalformedJws}
 */
export function decodeBase64Url(text: string): Uint8Array {
  // Checked first, since the decoder throws a different error for a single trailing character.
  const isDecodable = /^[A-Za-z0-9_-]+$/.test(text) && text.length % 4 !== 1;
  const bytes = isDecodable ? base64url.decode(text) : undefined;
  if (bytes === undefined || base64url.encode(bytes) !== text) {
    throw new MalformedJws('Each part must be base64url without padding.');
  }
  return bytes;
}

/**
 * Parses JSON in UTF-8 as strictly as request bodies: no duplicate member names, and only strings that can be stored (S32, S35, S36).
 *
 * @throws {MalformedJws}
 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const outcome = parseStrictJson(decodeUtf8(bytes));
  if (outcome.accepted) return outcome.value;
  throw new MalformedJws(
    outcome.problem.code === 'json_duplicate'
      ? 'A JSON object must not contain a member name twice.'
      : 'Each part must be JSON whose numbers, strings and depth are within the limits.',
  );
}

/** Returns `typ` in the form in which media types are compared (RFC 7515 §4.1.9). */
export function mediaTypeOf({ typ }: Members): unknown {
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
}

function parseObject(bytes: Uint8Array): Members {
  const value = parseJsonBytes(bytes);
  if (!isPlainObject(value)) throw new MalformedJws('Header and payload must be JSON objects.');
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MalformedJws('Each part must be UTF-8.');
  }
}

/** Whether a value is a string usable as an identifier: 1 to 256 code units without control characters and lone surrogates. */
export function isIdentifier(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= 256 && !/\p{Cc}|\p{Surrogate}/u.test(value)
  );
}
