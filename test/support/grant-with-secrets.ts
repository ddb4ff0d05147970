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
  /** The access token that is good now. */
  readonly accessToken: string;
  /** The members by which the application proves who it is. */
  readonly proof: { readonly client_id: string; readonly client_secret: string };
  /** The codes, verifiers, cookies, tokens and names that no log may hold; the caller’s own texts have `marker` in them. */
  readonly secrets: readonly string[];
  /** The authorization by the names that its browser and its application have for it. */
  readonly authorizationIds: readonly string[];
  /** Redeems the code again, with changes. */
  redeemAgain(changes?: Readonly<Record<string, unknown>>): Promise<Response>;
  revoke(): Promise<Response>;
}

/** Walks up to where queries can be asked. */
export async function createGrantWithSecrets(started: StartedService): Promise<GrantWithSecrets> {
  const begun = await begin(started, { ...AS_CONFIDENTIAL, state: 'state-marker', nonce: 'nonce-marker' });
  const code = await approve(started, begun);
  const redeemAgain = (changes: Readonly<Record<string, unknown>> = {}) =>
    postJson(started, '/oauth/token', redemption(begun, code, changes));
  const redeemed = (await (await redeemAgain()).json()) as Tokens;
  const proof = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
  const rotated = (await (await refresh(started, redeemed.refresh_token, proof)).json()) as Tokens;
  return {
    accessToken: rotated.access_token,
    proof,
    secrets: [
      code,
      begun.verifier,
      begun.cookie.split('=')[1] ?? '',
      redeemed.access_token,
      redeemed.refresh_token,
      redeemed.app_scoped_user_id,
      rotated.access_token,
      rotated.refresh_token,
      CONFIDENTIAL.secret,
      'marker',
    ],
    authorizationIds: [begun.authorizationId, redeemed.authorization_id],
    redeemAgain,
    revoke: () => postJson(started, '/oauth/revoke', { ...proof, token: rotated.access_token }),
  };
}
