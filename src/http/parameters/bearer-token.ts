/** The access token of a request, from one place only (RFC 6750 §2.1, S3, S44, S134, S135). */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../service/index.js';
import { headerValues } from '../raw-headers.js';
import { malformed } from './malformed.js';

const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Reads `Authorization: Bearer`.
 *
 * @throws {ServiceError} `token_missing` without the header or with another scheme; `token_invalid` for a malformed one;
 *   `malformed_body` for more than one such header.
 */
export function readBearerToken(request: IncomingMessage): string {
  const header = authorizationHeader(request);
  if (header === undefined || !/^bearer\b/i.test(header)) throw new ServiceError('token_missing');
  const token = BEARER.exec(header)?.[1];
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
