/** `GET /offer`: for people who meet the policy. */
import { ClientError } from 'proviso/client';
import { policy, proviso } from '../../proviso.js';
import { readSession, redirectTo, tokensOf } from '../../session.js';

export async function GET(request: Request): Promise<Response> {
  const session = readSession(request);
  if (session === undefined) return redirectTo('/sign-in');
  try {
    const { signal } = request;
    const answer = await proviso.access(tokensOf(session)).evaluate(policy, { signal });
    if (answer.passed) return Response.json({ offer: 'a bottle of wine', until: answer.expiresAt });
    return Response.json({ error: 'the offer is for others' }, { status: 403 });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    switch (error.code) {
      case 'authorization_needed':
        return redirectTo('/sign-in');
      case 'insufficient_scope':
        // The person did not grant a scope that the policy needs, which is their right.
        return Response.json({ error: 'not without your consent' }, { status: 403 });
      default:
        return Response.json({ error: 'ask again later' }, { status: 503 });
    }
  }
}
