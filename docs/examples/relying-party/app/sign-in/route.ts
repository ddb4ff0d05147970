/** `GET /sign-in`: begins to ask the person. */
import { policy, proviso } from '../../proviso.js';
import { openSession, readSession, redirectTo } from '../../session.js';

export async function GET(request: Request): Promise<Response> {
  const { url, pending } = await proviso.authorize({
    scopes: ['openid', ...policy.scopes],
    // The port is of the moment on a loopback address (RFC 8252 §7.3); elsewhere the client's own redirect URI will do.
    redirectUri: new URL('/callback', request.url).href,
  });
  const session = openSession(readSession(request));
  session.pending = pending;
  return redirectTo(url, session);
}
