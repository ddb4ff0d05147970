/** `GET /offer`: for people who meet the policy. */
import { type Access, ClientError } from 'proviso/client';
import { policy, proviso, resident } from '../../proviso.js';
import { readSession, redirectTo, tokensOf } from '../../session.js';

export async function GET(request: Request): Promise<Response> {
  const session = readSession(request);
  if (session === undefined) return redirectTo('/sign-in');
  try {
    const { signal } = request;
    const access = proviso.access(tokensOf(session));
    const answer = await access.evaluate(policy, { signal, evidence: 'checks' });
    if (!answer.passed) return Response.json({ error: 'the offer is for others' }, { status: 403 });
    const price = (await isResident(access, signal)) ? 8 : 10;
    return Response.json({ offer: 'a bottle of wine', price, until: answer.expiresAt });
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

/** Evaluates the condition for residents if the person agreed to it at sign-in. */
async function isResident(access: Access, signal: AbortSignal): Promise<boolean> {
  const { conditions = [] } = (await access.tokens()) ?? {};
  return conditions.length > 0 && (await access.evaluate(resident, { signal })).passed;
}
