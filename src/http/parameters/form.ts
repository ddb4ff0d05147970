/** Forms and query strings, strictly: each name once, UTF-8, no U+0000 (S18, S33, S35, S36, S40). */
import { malformed } from './malformed.js';

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
