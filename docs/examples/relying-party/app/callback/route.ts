/** `GET /callback`: the redirect after the person's decision. */
import { ClientError } from 'proviso/client';
import { proviso } from '../../proviso.js';
import { openSession, readSession, redirectTo, tokensOf } from '../../session.js';

export async function GET(request: Request): Promise<Response> {
  const before = readSession(request);
  const pending = before?.pending;
  // This browser did not start a request: a possible login CSRF attack.
  if (before === undefined || pending === undefined) return new Response('Sign in first.', { status: 400 });
  before.pending = undefined;
  try {
    await proviso.redeem(request.url, pending, { storage: tokensOf(before) });
    return redirectTo('/offer', openSession(before));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const status = error.code === 'access_denied' ? 403 : 400;
    return Response.json({ error: error.code }, { status });
  }
}
