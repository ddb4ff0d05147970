/** Whom a request is for and where its body ends must be beyond doubt, or a proxy and we could see different ones (S4, S5, S11, D10). */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../service/index.js';
import { malformed } from './parameters/malformed.js';
import { headerValues } from './raw-headers.js';
import { stateOf } from './request-state.js';

/**
 * Why one cannot tell what a request is, though `node:http` takes it: a proxy may read it otherwise, and nothing after it on its
 * connection can be trusted. Never throws.
 *
 * @returns `headers_too_large` for more headers than are read; `malformed_body` for a `Transfer-Encoding` that is not exactly
 *   `chunked`, or any in HTTP/1.0, and for more than one `Host`; `undefined` where nothing is in doubt.
 */
export function framingRefusal(request: IncomingMessage): ServiceError | undefined {
  const { headers, httpVersion, rawHeaders } = request;
  // First: `headers` silently lacks what comes after the limit, while `rawHeaders` still shows that there was more.
  const { headers: limit } = stateOf(request).limits;
  if (rawHeaders.length / 2 > limit) {
    return new ServiceError('headers_too_large', { limit });
  }
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding !== 'chunked' || httpVersion !== '1.1')) {
    return malformed(
      '',
      'transfer_encoding',
      '`Transfer-Encoding` is `chunked` or absent, and absent in HTTP/1.0.',
    );
  }
  if (headerValues(request, 'host').length > 1) {
    return malformed('', 'header_repeated', 'A request has one `Host` header.');
  }
  return undefined;
}
