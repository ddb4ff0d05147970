/** A complete grant with every secret that occurs in it, for tests that secrets do not leak (S198). */
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from './oauth-client.js';
import type { StartedService } from './start-service.js';

/** An active grant: requested, approved, redeemed and refreshed by the confidential application. */
export interface GrantWithSecrets {
  /** The current access token. */
  readonly accessToken: string;
  /** The members by which the application authenticates. */
  readonly proof: { readonly client_id: string; readonly client_secret: string };
  /** Codes, verifiers, cookies, tokens and ids that no log may contain, and `marker`, which is part of `state` and `nonce`. */
  readonly secrets: readonly string[];
  /** The id of the authorization in the URL of the consent page, and that in the token response. */
  readonly authorizationIds: readonly string[];
  /** Redeems the code again, with changes. */
  redeemAgain(changes?: Readonly<Record<string, unknown>>): Promise<Response>;
  revoke(): Promise<Response>;
}

/** Creates a grant with an access token. */
export async function createGrantWithSecrets(started: StartedService): Promise<GrantWithSecrets> {
  const pending = await begin(started, { ...AS_CONFIDENTIAL, state: 'state-marker', nonce: 'nonce-marker' });
  const code = await approve(started, pending);
  const redeem = (changes: Readonly<Record<string, unknown>> = {}) =>
    postJson(started, '/oauth/token', redemption(pending, code, changes));
  const redeemed = (await (await redeem()).json()) as Tokens;
  const proof = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
  const rotated = (await (await refresh(started, redeemed.refresh_token, proof)).json()) as Tokens;
  return {
    accessToken: rotated.access_token,
    proof,
    secrets: [
      code,
      pending.verifier,
      pending.cookie.split('=')[1] ?? '',
      redeemed.access_token,
      redeemed.refresh_token,
      redeemed.app_scoped_user_id,
      rotated.access_token,
      rotated.refresh_token,
      CONFIDENTIAL.secret,
      'marker',
    ],
    authorizationIds: [pending.authorizationId, redeemed.authorization_id],
    redeemAgain: redeem,
    revoke: () => postJson(started, '/oauth/revoke', { ...proof, token: rotated.access_token }),
  };
}
