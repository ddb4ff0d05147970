/**
 * Reads the authentication of a request, which must be in one place only: access token and DPoP proof (RFC 6750 §2.1, RFC 9449 §7.1, S3, S44,
 * S134, S135), or client authentication (RFC 6749 §2.3.1, RFC 7523, S90–S92).
 */
import type { IncomingMessage } from 'node:http';
import { type ClientCredentials, type PresentedProof, ServiceError } from '../../service/index.js';
import { parseStrictJson } from '../../service/json/strict-json.js';
import { malformed } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import { headerValues } from '../request-head.js';
import { decodeFormText, MAX_PARAMETERS, type Parameters } from './body.js';

const BEARER = { scheme: /^bearer\b/i, credentials: /^bearer +([A-Za-z0-9._~+/-]+=*)$/i };
const DPOP = { scheme: /^dpop\b/i, credentials: /^dpop +([A-Za-z0-9._~+/-]+=*)$/i };

/**
 * Reads `Authorization: Bearer`.
 *
 * @throws {ServiceError} `token_missing` without the header or with another scheme; `token_invalid` for a malformed one;
 *   `malformed_body` for more than one `Authorization` header.
 */
export function readBearerToken(request: IncomingMessage): string {
  return readToken(request, BEARER);
}

/** Whether a request presents its access token as `Authorization: DPoP`. */
export function presentsDpop({ headers }: IncomingMessage): boolean {
  return DPOP.scheme.test(headers.authorization ?? '');
}

/** Same as {@link readBearerToken}, for `Authorization: DPoP`. */
export function readDpopToken(request: IncomingMessage): string {
  return readToken(request, DPOP);
}

/** Reads all `DPoP` headers of a request, without validating them. Never throws. */
export function readDpopProof({ request, target, service }: RequestContext): PresentedProof {
  const { method = '' } = request;
  const url = new URL(service.settings.issuer).origin + target.path;
  return { values: headerValues(request, 'dpop'), method, url };
}

function readToken(request: IncomingMessage, { scheme, credentials }: typeof BEARER): string {
  const header = authorizationHeader(request);
  if (header === undefined || !scheme.test(header)) throw new ServiceError('token_missing');
  const token = credentials.exec(header)?.[1];
  if (token === undefined) throw new ServiceError('token_invalid');
  return token;
}

/**
 * Returns the `Authorization` header.
 *
 * @throws {ServiceError} `malformed_body` for several headers, since a proxy might use a different one than the service (S3, D10).
 */
export function authorizationHeader(request: IncomingMessage): string | undefined {
  const values = headerValues(request, 'authorization');
  if (values.length > 1)
    throw malformed('', 'header_repeated', 'The request must not have more than one `Authorization` header.');
  return values[0];
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads the client authentication of a request; `undefined` for a request without it, or with a `client_secret` but no `client_id`.
 *
 * @throws {ServiceError} `malformed_body` for two methods, two different ids, several `Authorization` headers or a malformed parameter;
 *   `invalid_client` for an `Authorization` header that is not valid Basic, and for an assertion without `sub`.
 */
export function readClientCredentials(
  request: IncomingMessage,
  parameters: Parameters,
): ClientCredentials | undefined {
  const clientId = optionalText(parameters, 'client_id');
  const clientSecret = optionalText(parameters, 'client_secret');
  const assertion = optionalText(parameters, 'client_assertion');
  const header = authorizationHeader(request);
  if (assertion !== undefined && (header !== undefined || clientSecret !== undefined))
    throw ambiguousClientError();
  if (assertion !== undefined) return readAssertion(assertion, clientId, parameters);
  if (header === undefined) {
    if (clientId === undefined) return undefined;
    if (clientSecret === undefined) return { clientId, method: 'none' };
    return { clientId, clientSecret, method: 'client_secret_post' };
  }
  const basic = parseBasic(header);
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw ambiguousClientError();
  }
  return basic;
}

/** Reads a client assertion. Its `sub` names the client; the signature is verified later (RFC 7523 §2.2). */
function readAssertion(
  assertion: string,
  clientId: string | undefined,
  parameters: Parameters,
): ClientCredentials {
  if (optionalText(parameters, 'client_assertion_type') !== ASSERTION_TYPE) {
    const message = `\`client_assertion_type\` must be \`${ASSERTION_TYPE}\` with \`client_assertion\`.`;
    throw malformed('/client_assertion_type', 'value_unknown', message);
  }
  const subject = subjectOf(assertion);
  if (subject === undefined) throw new ServiceError('invalid_client');
  if (clientId !== undefined && clientId !== subject) throw ambiguousClientError();
  return { clientId: subject, assertion, method: 'private_key_jwt' };
}

function subjectOf(assertion: string): string | undefined {
  const [, payload = ''] = assertion.split('.');
  const outcome = parseStrictJson(Buffer.from(payload, 'base64url').toString('utf8'), MAX_PARAMETERS);
  const value = outcome.accepted ? outcome.value : undefined;
  const subject = typeof value === 'object' && value !== null && 'sub' in value ? value.sub : undefined;
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}

function ambiguousClientError(): ServiceError {
  return malformed(
    '',
    'client_ambiguous',
    'The client must authenticate with one method and one `client_id`.',
  );
}

/** Returns a string parameter; an empty string and `null` count as absent (S40). */
function optionalText(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw malformed(`/${name}`, 'not_a_string', `\`${name}\` must be a string.`);
}

/** Parses a Basic header. Both parts are form-encoded; the secret may contain colons. @throws {ServiceError} `invalid_client` */
function parseBasic(header: string): ClientCredentials {
  const encoded = BASIC.exec(header)?.[1];
  const joined = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = joined.indexOf(':');
  const clientId = colon < 0 ? undefined : decodeFormText(joined.slice(0, colon));
  const clientSecret = decodeFormText(joined.slice(colon + 1));
  const isValid = [clientId, clientSecret].every(
    (part) =>
      part !== undefined && part !== '' && !part.includes('\0') && !/\p{Surrogate}|\ufffd/u.test(part),
  );
  if (!isValid || clientId === undefined || clientSecret === undefined)
    throw new ServiceError('invalid_client');
  return { clientId, clientSecret, method: 'client_secret_basic' };
}
