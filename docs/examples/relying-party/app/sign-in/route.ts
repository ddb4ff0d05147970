/** `GET /sign-in`: starts an authorization request. */
import { policy, proviso, resident } from '../../proviso.js';
import { openSession, readSession, redirectTo } from '../../session.js';

export async function GET(request: Request): Promise<Response> {
  const { url, pending } = await proviso.authorize({
    scopes: ['openid', ...policy.scopes],
    conditions: [{ query: resident, purpose: 'To offer you the price for residents.' }],
    // A loopback redirect URI may have any port (RFC 8252 §7.3); elsewhere, use the registered redirect URI.
    redirectUri: new URL('/callback', request.url).href,
  });
  const session = openSession(readSession(request));
  session.pending = pending;
  return redirectTo(url, session);
}
