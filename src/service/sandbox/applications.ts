/** The sandbox's made-up applications: one public, one confidential (V1). */

import { defaultScopeCatalogue } from '../../engine/index.js';
import type { Application } from '../clients/application.js';
import type { Digest } from '../ports/digest.js';

export const SANDBOX_PUBLIC_CLIENT_ID = 'sandbox-public';
export const SANDBOX_CONFIDENTIAL_CLIENT_ID = 'sandbox-confidential';

/** Not a secret: it guards made-up people on a loopback address, and the documentation shows it. */
export const SANDBOX_CLIENT_SECRET = 'sandbox-secret-for-made-up-people-only';

/** @param createdAt - Epoch milliseconds. */
export function sandboxApplications(digest: Digest, createdAt: number): readonly Application[] {
  return [
    {
      clientId: SANDBOX_PUBLIC_CLIENT_ID,
      name: 'Harbour Wallet',
      organizationId: 'org-harbour',
      redirectUris: ['http://127.0.0.1/callback', 'http://localhost:3000/callback'],
      scopes: defaultScopeCatalogue.scopes,
      idTokenAlgorithm: 'ES256',
      createdAt,
    },
    {
      clientId: SANDBOX_CONFIDENTIAL_CLIENT_ID,
      name: 'Meridian Lending',
      organizationId: 'org-meridian',
      redirectUris: ['http://127.0.0.1/callback', 'https://meridian.example/oauth/callback'],
      scopes: defaultScopeCatalogue.scopes,
      idTokenAlgorithm: 'RS256',
      secretHash: digest.sha256(SANDBOX_CLIENT_SECRET),
      createdAt,
    },
  ];
}
