/** How a client shows who it is: Basic, in the body, by what it signed, or by its id alone (RFC 6749 §2.3.1, RFC 7523, S90–S92). */
import type { IncomingMessage } from 'node:http';
import type { ClientCredentials } from '../../service/index.js';
import { ServiceError } from '../../service/index.js';
import { parseStrictJson } from '../../service/json/strict-json.js';
import { authorizationHeader } from './bearer-token.js';
import type { Parameters } from './body.js';
import { decodeFormText, MAX_PARAMETERS } from './form.js';
import { malformed } from './malformed.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads what a client showed of itself; `undefined` where that is nothing.
 *
 * @throws {ServiceError} `malformed_body` for two ways at once or two different ids; `invalid_client` for a header that is no Basic.
 */
export function readClientCredentials(
  request: IncomingMessage,
  parameters: Parameters,
): ClientCredentials | undefined {
  const clientId = optionalText(parameters, 'client_id');
  const clientSecret = optionalText(parameters, 'client_secret');
  const assertion = optionalText(parameters, 'client_assertion');
  const header = authorizationHeader(request);
  if (assertion !== undefined && (header !== undefined || clientSecret !== undefined)) throw ambiguous();
  if (assertion !== undefined) return asserted(assertion, clientId, parameters);
  if (header === undefined) {
    if (clientId === undefined) return undefined;
    if (clientSecret === undefined) return { clientId, method: 'none' };
    return { clientId, clientSecret, method: 'client_secret_post' };
  }
  const basic = parseBasic(header);
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw ambiguous();
  }
  return basic;
}

/** Who an assertion is of stands in it: whether that is so is found out by its signature (RFC 7523 §2.2). */
function asserted(
  assertion: string,
  clientId: string | undefined,
  parameters: Parameters,
): ClientCredentials {
  if (optionalText(parameters, 'client_assertion_type') !== ASSERTION_TYPE) {
    const message = `\`client_assertion_type\` is \`${ASSERTION_TYPE}\` beside \`client_assertion\`.`;
    throw malformed('/client_assertion_type', 'value_unknown', message);
  }
  const subject = subjectOf(assertion);
  if (subject === undefined) throw new ServiceError('invalid_client');
  if (clientId !== undefined && clientId !== subject) throw ambiguous();
  return { clientId: subject, assertion, method: 'private_key_jwt' };
}

function subjectOf(assertion: string): string | undefined {
  const [, payload = ''] = assertion.split('.');
  const outcome = parseStrictJson(Buffer.from(payload, 'base64url').toString('utf8'), MAX_PARAMETERS);
  const value = outcome.accepted ? outcome.value : undefined;
  const subject = typeof value === 'object' && value !== null && 'sub' in value ? value.sub : undefined;
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}

function ambiguous(): ServiceError {
  return malformed('', 'client_ambiguous', 'A client authenticates in one way, under one `client_id`.');
}

/** A string that is not empty; an empty one and `null` count as absent (S40). */
function optionalText(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw malformed(`/${name}`, 'not_a_string', `\`${name}\` is a string.`);
}

/** Both halves are form-encoded before they are joined; the secret may hold colons. */
function parseBasic(header: string): ClientCredentials {
  const encoded = BASIC.exec(header)?.[1];
  const joined = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = joined.indexOf(':');
  const clientId = colon < 0 ? undefined : decodeFormText(joined.slice(0, colon));
  const clientSecret = decodeFormText(joined.slice(colon + 1));
  const sound = [clientId, clientSecret].every(
    (half) =>
      half !== undefined && half !== '' && !half.includes('\0') && !/\p{Surrogate}|\ufffd/u.test(half),
  );
  if (!sound || clientId === undefined || clientSecret === undefined)
    throw new ServiceError('invalid_client');
  return { clientId, clientSecret, method: 'client_secret_basic' };
}
