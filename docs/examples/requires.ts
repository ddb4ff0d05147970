/** "This route requires this policy", without a framework: express.ts, fastify.ts and hono.ts adapt it to these frameworks. */
import { ClaimSet, compile, QueryError } from 'proviso';
import type { Condition } from 'proviso/builder';
import { describeFailures } from 'proviso/describe';
import { findPerson } from './people.js';

/** Whether a request may proceed; if not, status and body of the response. */
export type Verdict =
  | { readonly passed: true; readonly expiresAt: string }
  | { readonly passed: false; readonly status: 401 | 403; readonly body: Readonly<Record<string, unknown>> };

/** Creates a function that decides whether a person meets a policy. The policy is compiled once, not per request. */
export function requires(condition: Condition): (person: string | undefined) => Promise<Verdict> {
  const policy = compile(condition.query);
  return async (name) => {
    const person = await findPerson(name);
    if (person === undefined) return refusal(401, { error: 'sign_in_first' });
    const now = Date.now();
    try {
      const claims = ClaimSet.at(person.credentials, now);
      const answer = policy.evaluate(claims, { scopes: person.scopes });
      if (answer.passed) return { passed: true, expiresAt: answer.expiresAt };
      // Sentences for the person, which state what is required, and no values of claims.
      return refusal(403, { error: 'policy_not_met', reasons: describeFailures(policy.check(claims)) });
    } catch (error) {
      if (!(error instanceof QueryError) || error.code !== 'insufficient_scope') throw error;
      return refusal(403, { error: 'ask_for_consent', scopes: condition.scopes });
    }
  };
}

function refusal(status: 401 | 403, body: Readonly<Record<string, unknown>>): Verdict {
  return { passed: false, status, body };
}
