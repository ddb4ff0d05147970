/** Conditions on the consent page, as sentences (S293). */
import { expect, it } from 'vitest';
import { begin } from '../support/oauth-client.js';
import { startService } from '../support/start-service.js';

const CINEMA = { client_id: 'sandbox-conditions', scope: undefined };
const check = (value: number) => ({ check: { claim: 'identity.service_score', operator: '!=', value } });

// S293
it('the consent page shows a condition that is nested deeper than the default limit of queries, if the deployment allows it', async () => {
  const started = await startService({ options: { queryLimits: { depth: 40 } } });
  let query: object = check(0);
  for (let depth = 1; depth <= 20; depth += 1)
    query = { policy: { [depth % 2 === 0 ? 'allOf' : 'anyOf']: [check(depth), query] } };
  const details = [{ type: 'claims_condition', query, purpose: 'To <i>count</i>.' }];
  const pending = await begin(started, { ...CINEMA, authorization_details: JSON.stringify(details) });
  const page = await fetch(
    `${new URL(started.url).origin}/consent?authorization_id=${pending.authorizationId}`,
    { headers: { Cookie: pending.cookie } },
  );
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(text.match(/<ul class="question/g) ?? []).toHaveLength(20);
  expect(text).toContain('To &lt;i&gt;count&lt;/i&gt;.');
  await started.stop();
});
