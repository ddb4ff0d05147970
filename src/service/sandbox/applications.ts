/** Sample applications of the sandbox: one per authentication method, and one for conditions (V1). */

import {
  type Application,
  DEFAULT_ID_TOKEN_ALGORITHM,
  type TokenEndpointAuthMethod,
} from '../clients/application.js';
import { AUTHORIZATION_DETAILS_TYPES } from '../conditions/condition.js';
import type { Digest } from '../ports/ports.js';

export const SANDBOX_PUBLIC_CLIENT_ID = 'sandbox-public';
export const SANDBOX_CONFIDENTIAL_CLIENT_ID = 'sandbox-confidential';
/** Authenticates with its secret in the `Authorization: Basic` header only. */
export const SANDBOX_BASIC_CLIENT_ID = 'sandbox-basic';
/** Authenticates with its secret in the body only. */
export const SANDBOX_POST_CLIENT_ID = 'sandbox-post';
/** Authenticates by `private_key_jwt`, and gets ID tokens signed with ES256. */
export const SANDBOX_SIGNING_CLIENT_ID = 'sandbox-signing';
/** A public client at the token and revocation endpoints that uses its secret for user tokens, as in the interface specification. */
export const SANDBOX_PKCE_CLIENT_ID = 'sandbox-pkce';

/** May request conditions only: no scopes, and so no claims (RFC 9396). A public client. */
export const SANDBOX_CONDITIONS_CLIENT_ID = 'sandbox-conditions';

const SANDBOX_CLIENT_IDS: ReadonlySet<string> = new Set([
  SANDBOX_PUBLIC_CLIENT_ID,
  SANDBOX_CONFIDENTIAL_CLIENT_ID,
  SANDBOX_BASIC_CLIENT_ID,
  SANDBOX_POST_CLIENT_ID,
  SANDBOX_SIGNING_CLIENT_ID,
  SANDBOX_PKCE_CLIENT_ID,
  SANDBOX_CONDITIONS_CLIENT_ID,
]);

/** Not a secret: the default token of the sandbox's administrator. */
export const SANDBOX_ADMINISTRATOR_TOKEN = 'sandbox-administrator-token';

/** Not a secret: it protects only sample people on a loopback address, and is documented. */
export const SANDBOX_CLIENT_SECRET = 'sandbox-client-secret-not-confidential';

/** Not a secret: the key of `sandbox-signing`. */
export const SANDBOX_SIGNING_KEY = Object.freeze({
  kty: 'EC',
  crv: 'P-256',
  kid: 'sandbox-signing-1',
  alg: 'ES256',
  x: 'UTBkUUAoU7lRMrOCjw0e92uqiEmSmfXtfBfrE0lofcs',
  y: 'aHwLypIHO4EUu5xvRdN4Ex9yU7_Bd8GGrGbCF6vQwt4',
  d: '5BdBR588vxOvkASit5j11TJy2BiruG_0FB1nX_Jx-_w',
});

/** Recorded as the operator who registered the sample applications. */
const OPERATOR = 'sandbox-operator';

/** Whether a sample application may request every scope of the catalogue. */
export function mayRequestAllScopes(application: Pick<Application, 'clientId'>): boolean {
  return isSandboxApplication(application) && application.clientId !== SANDBOX_CONDITIONS_CLIENT_ID;
}

/** Whether an application is a sample application. */
export function isSandboxApplication({ clientId }: Pick<Application, 'clientId'>): boolean {
  return SANDBOX_CLIENT_IDS.has(clientId);
}

/** A sailing boat. */
const HARBOUR_LOGO =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA0NCA0NCI+PHJlY3Qgd2lkdGg9IjQ0IiBoZWlnaHQ9IjQ0IiBmaWxsPSIjMTc0NTZlIi8+PHBhdGggZD0iTTYgMzBxOC02IDE2IDB0MTYgME0yMiAyNlY5bDExIDEzSDIyIiBmaWxsPSJub25lIiBzdHJva2U9IiNmZmYiIHN0cm9rZS13aWR0aD0iMyIgc3Ryb2tlLWxpbmVqb2luPSJyb3VuZCIvPjwvc3ZnPg==';

/**
 * Returns the sample applications.
 *
 * @param scopes - Scopes that the applications may request, except for the one that may request conditions only.
 * @param createdAt - Epoch milliseconds.
 */
export function sandboxApplications(
  digest: Digest,
  scopes: readonly string[],
  createdAt: number,
): readonly Application[] {
  const secretHash = digest.sha256(SANDBOX_CLIENT_SECRET);
  const { d: _private, ...publicKey } = SANDBOX_SIGNING_KEY;
  const sample = (
    clientId: string,
    name: string,
    tokenEndpointAuthMethod: TokenEndpointAuthMethod,
    credential: Pick<Application, 'secretHash' | 'keys'>,
  ): Application => ({
    clientId,
    name,
    organizationId: clientId.replace('sandbox', 'org'),
    redirectUris: ['http://127.0.0.1/callback'],
    scopes,
    tokenEndpointAuthMethod,
    idTokenAlgorithm: DEFAULT_ID_TOKEN_ALGORITHM,
    createdByUserId: OPERATOR,
    createdAt,
    ...credential,
  });
  return [
    {
      clientId: SANDBOX_PUBLIC_CLIENT_ID,
      name: 'Harbour Wallet',
      organizationId: 'org-harbour',
      organizationName: 'Harbour Payments Ltd',
      logoUri: HARBOUR_LOGO,
      policyUri: 'https://harbour.example/privacy',
      tosUri: 'https://harbour.example/terms',
      purpose: 'To open a wallet in your name, and to show you what you can do with it where you live.',
      redirectUris: ['http://127.0.0.1/callback', 'http://localhost:3000/callback'],
      postLogoutRedirectUris: ['http://localhost:3000/signed-out'],
      scopes,
      authorizationDetailsTypes: AUTHORIZATION_DETAILS_TYPES,
      idTokenAlgorithm: DEFAULT_ID_TOKEN_ALGORITHM,
      createdByUserId: OPERATOR,
      createdAt,
    },
    {
      clientId: SANDBOX_CONFIDENTIAL_CLIENT_ID,
      name: 'Meridian Lending',
      organizationId: 'org-meridian',
      organizationName: 'Meridian Bank',
      purpose: 'To see whether you can be offered a loan, and on what terms.',
      redirectUris: ['http://127.0.0.1/callback', 'https://meridian.example/oauth/callback'],
      postLogoutRedirectUris: ['https://meridian.example/signed-out'],
      scopes,
      authorizationDetailsTypes: AUTHORIZATION_DETAILS_TYPES,
      idTokenAlgorithm: DEFAULT_ID_TOKEN_ALGORITHM,
      secretHash,
      createdByUserId: OPERATOR,
      createdAt,
    },
    sample(SANDBOX_BASIC_CLIENT_ID, 'Lantern Insurance', 'client_secret_basic', { secretHash }),
    sample(SANDBOX_POST_CLIENT_ID, 'Tideline Rentals', 'client_secret_post', { secretHash }),
    {
      ...sample(SANDBOX_SIGNING_CLIENT_ID, 'Quarry Exchange', 'private_key_jwt', { keys: [publicKey] }),
      idTokenAlgorithm: 'ES256',
    },
    sample(SANDBOX_PKCE_CLIENT_ID, 'Fern Market', 'none', { secretHash }),
    {
      clientId: SANDBOX_CONDITIONS_CLIENT_ID,
      name: 'Corner Cinema',
      organizationId: 'org-cinema',
      organizationName: 'Corner Cinemas',
      purpose: 'To sell you tickets for films with an age limit.',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: [],
      authorizationDetailsTypes: AUTHORIZATION_DETAILS_TYPES,
      idTokenAlgorithm: DEFAULT_ID_TOKEN_ALGORITHM,
      createdByUserId: OPERATOR,
      createdAt,
    },
  ];
}
