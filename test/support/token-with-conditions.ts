/** Access tokens with granted conditions. */
import { approve, begin, postJson, redemption } from './oauth-client.js';
import type { StartedService } from './start-service.js';

/**
 * Returns an access token of a person with conditions.
 *
 * @param changes - Parameters of the authorization request that differ: with `client_id` and `scope`, the token has scopes as well.
 */
export async function tokenWithConditions(
  started: StartedService,
  person: string,
  queries: readonly object[],
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const details = queries.map((query) => ({ type: 'claims_condition', query, purpose: 'Because.' }));
  const pending = await begin(started, {
    client_id: 'sandbox-conditions',
    scope: undefined,
    login_hint: person,
    authorization_details: JSON.stringify(details),
    ...changes,
  });
  const code = await approve(started, pending);
  const response = await postJson(started, '/oauth/token', redemption(pending, code));
  return ((await response.json()) as { readonly access_token: string }).access_token;
}
