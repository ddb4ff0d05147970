/** `POST /sign-out`: ends the session and revokes the grant at the service. */
import { proviso } from '../../proviso.js';
import { closeSession, readSession, tokensOf } from '../../session.js';

export async function POST(request: Request): Promise<Response> {
  const session = readSession(request);
  if (session !== undefined) {
    await proviso.access(tokensOf(session)).revoke();
    closeSession(session);
  }
  return new Response('You are signed out.');
}
