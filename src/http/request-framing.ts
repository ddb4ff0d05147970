/** Where a body begins and ends must be beyond doubt, or a proxy and we could see different requests (S5, D10). */
import type { IncomingMessage } from 'node:http';
import { malformed } from './parameters/malformed.js';

/**
 * Refuses what `node:http` takes and a proxy may read otherwise.
 *
 * @throws {ServiceError} `malformed_body` for a `Transfer-Encoding` that is not exactly `chunked`, or any in HTTP/1.0.
 */
export function assertFraming(request: IncomingMessage): void {
  const encoding = request.headers['transfer-encoding'];
  if (encoding === undefined || (encoding === 'chunked' && request.httpVersion === '1.1')) return;
  const message = '`Transfer-Encoding` is `chunked` or absent, and absent in HTTP/1.0.';
  throw malformed('', 'transfer_encoding', message);
}
