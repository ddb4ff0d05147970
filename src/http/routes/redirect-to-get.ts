/** Forms of a client's own site, which are sent on to GET (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2). */
import type { IncomingMessage } from 'node:http';
import { type Service, ServiceError } from '../../service/index.js';
import { readForm } from '../parameters/body.js';
import { stateOf } from '../request-state.js';
import type { Answer } from './route.js';

/**
 * Sends the browser on to GET with the same parameters. A form of the client's site comes without our cookies (`SameSite=Lax`), and
 * answering it with new ones would end the person's session at this browser; the navigation that follows the 303 brings them.
 *
 * @param path - Of the route.
 * @throws {ServiceError} `url_too_large` where the parameters do not fit into a URL; and as {@link readForm} does.
 */
export async function redirectToGet(
  request: IncomingMessage,
  path: string,
  { settings }: Service,
): Promise<Answer> {
  const target = `${path}?${new URLSearchParams([...(await readForm(request))])}`;
  const { urlLength } = stateOf(request).limits;
  if (target.length > urlLength) throw new ServiceError('url_too_large', { limit: urlLength });
  return { kind: 'redirect', location: `${new URL(settings.issuer).origin}${target}` };
}
