/** The access token of a request and the proof that comes with it, from one place only (RFC 6750 §2.1, RFC 9449 §7.1, S3, S44, S134, S135). */
import type { IncomingMessage } from 'node:http';
import { type PresentedProof, type Service, ServiceError } from '../../service/index.js';
import { headerValues } from '../raw-headers.js';
import { parseTarget } from '../request-target.js';
import { malformed } from './malformed.js';

const BEARER = { scheme: /^bearer\b/i, credentials: /^bearer ([A-Za-z0-9._~+/-]+=*)$/i };
const DPOP = { scheme: /^dpop\b/i, credentials: /^dpop ([A-Za-z0-9._~+/-]+=*)$/i };

/**
 * Reads `Authorization: Bearer`.
 *
 * @throws {ServiceError} `token_missing` without the header or with another scheme; `token_invalid` for a malformed one;
 *   `malformed_body` for more than one such header.
 */
export function readBearerToken(request: IncomingMessage): string {
  return readToken(request, BEARER);
}

/** Whether a request presents its access token as `Authorization: DPoP`. */
export function presentsDpop({ headers }: IncomingMessage): boolean {
  return DPOP.scheme.test(headers.authorization ?? '');
}

/** As {@link readBearerToken}, for `Authorization: DPoP`. */
export function readDpopToken(request: IncomingMessage): string {
  return readToken(request, DPOP);
}

/** Reads the DPoP proof of a request, however many there are. Never throws. */
export function readDpopProof(request: IncomingMessage, { settings }: Service): PresentedProof {
  const { method = '', url = '' } = request;
  const target = new URL(settings.issuer).origin + parseTarget(url).path;
  return { values: headerValues(request, 'dpop'), method, url: target };
}

function readToken(request: IncomingMessage, { scheme, credentials }: typeof BEARER): string {
  const header = authorizationHeader(request);
  if (header === undefined || !scheme.test(header)) throw new ServiceError('token_missing');
  const token = credentials.exec(header)?.[1];
  if (token === undefined) throw new ServiceError('token_invalid');
  return token;
}

/**
 * The one `Authorization` header, as it was sent.
 *
 * @throws {ServiceError} `malformed_body` for more than one, of which a proxy might read the other (S3, D10).
 */
export function authorizationHeader(request: IncomingMessage): string | undefined {
  const values = headerValues(request, 'authorization');
  if (values.length > 1) throw malformed('', 'header_repeated', 'A request has one `Authorization` header.');
  return values[0];
}
