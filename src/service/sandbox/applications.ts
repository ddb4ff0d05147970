/** The sandbox's made-up applications: one public, one confidential (V1). */

import type { Application } from '../clients/application.js';
import type { Digest } from '../ports/digest.js';

export const SANDBOX_PUBLIC_CLIENT_ID = 'sandbox-public';
export const SANDBOX_CONFIDENTIAL_CLIENT_ID = 'sandbox-confidential';

/** No secret either: it is the administrator's of the sandbox alone, where another may be set. */
export const SANDBOX_ADMINISTRATOR_TOKEN = 'sandbox-administrator-of-made-up-people';

/** Not a secret: it guards made-up people on a loopback address, and the documentation shows it. */
export const SANDBOX_CLIENT_SECRET = 'sandbox-secret-for-made-up-people-only';

/** Whether an application is one of the sandbox's own. */
export function isSandboxApplication({ clientId }: Pick<Application, 'clientId'>): boolean {
  return clientId === SANDBOX_PUBLIC_CLIENT_ID || clientId === SANDBOX_CONFIDENTIAL_CLIENT_ID;
}

/**
 * @param scopes - What they may ask for.
 * @param createdAt - Epoch milliseconds.
 */
export function sandboxApplications(
  digest: Digest,
  scopes: readonly string[],
  createdAt: number,
): readonly Application[] {
  return [
    {
      clientId: SANDBOX_PUBLIC_CLIENT_ID,
      name: 'Harbour Wallet',
      organizationId: 'org-harbour',
      purpose: 'To open a wallet in your name, and to show you what you can do with it where you live.',
      redirectUris: ['http://127.0.0.1/callback', 'http://localhost:3000/callback'],
      scopes,
      idTokenAlgorithm: 'ES256',
      createdAt,
    },
    {
      clientId: SANDBOX_CONFIDENTIAL_CLIENT_ID,
      name: 'Meridian Lending',
      organizationId: 'org-meridian',
      purpose: 'To see whether you can be offered a loan, and on what terms.',
      redirectUris: ['http://127.0.0.1/callback', 'https://meridian.example/oauth/callback'],
      scopes,
      idTokenAlgorithm: 'RS256',
      secretHash: digest.sha256(SANDBOX_CLIENT_SECRET),
      createdAt,
    },
  ];
}
