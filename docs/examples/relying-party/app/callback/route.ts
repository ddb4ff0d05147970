/** `GET /callback`: the person decided, and their browser is back. */
import { ClientError } from 'proviso/client';
import { proviso } from '../../proviso.js';
import { openSession, readSession, redirectTo, tokensOf } from '../../session.js';

export async function GET(request: Request): Promise<Response> {
  const before = readSession(request);
  const pending = before?.pending;
  // Nobody asked from this browser: whoever made it come here wants to sign it in as somebody else.
  if (before === undefined || pending === undefined) return new Response('Sign in first.', { status: 400 });
  before.pending = undefined;
  const session = openSession(before);
  try {
    await proviso.redeem(request.url, pending, { storage: tokensOf(session) });
    return redirectTo('/offer', session);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const status = error.code === 'access_denied' ? 403 : 400;
    return Response.json({ error: error.code }, { status });
  }
}
