/** ID tokens that come back as `id_token_hint` (OpenID Connect RP-Initiated Logout 1.0 §2, S250). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';

/** What a verified ID token says: for which application it was issued, and about whom. */
export interface IdTokenHint {
  readonly application: Application;
  /** The person, as the application's organization knows them. */
  readonly subject: string;
}

/**
 * Verifies that this service issued an ID token to an application that is still in force. The expiry is ignored, as RP-Initiated Logout §2
 * recommends, and keys that sign no longer are accepted.
 *
 * @returns `undefined` for every other text. Never rejects but with `StoreUnavailable`.
 */
export async function readIdTokenHint(
  text: string,
  { store, signer, settings }: Pick<ServiceContext, 'store' | 'signer' | 'settings'>,
): Promise<IdTokenHint | undefined> {
  const claims = await signer.verify(text, await store.listSigningKeys());
  if (claims === undefined || claims['iss'] !== settings.issuer) return undefined;
  const { aud: clientId, sub: subject } = claims;
  if (typeof clientId !== 'string' || typeof subject !== 'string') return undefined;
  const application = await store.findApplication(clientId);
  return application === undefined || application.revokedAt !== undefined
    ? undefined
    : { application, subject };
}
