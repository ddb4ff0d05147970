/** A registered application: the party that asks. */
import type { PublicJwk } from '../ports/credential-verifier.js';

/** How an ID token is signed (V10). */
export type IdTokenAlgorithm = 'ES256' | 'RS256';

export interface Application {
  readonly clientId: string;
  readonly name: string;
  readonly organizationId: string;
  /** What it says that it asks for, in one sentence to the person; absent where it says nothing. */
  readonly purpose?: string;
  /** Compared as strings; a browser is sent to none but these. */
  readonly redirectUris: readonly string[];
  /** What it may ask for. */
  readonly scopes: readonly string[];
  /** SHA-256 of the client secret, base64url (V7, D3); absent for a public client, which proves itself by PKCE. */
  readonly secretHash?: string;
  /** Public keys of one that authenticates by signing (RFC 7523); it then has no secret. */
  readonly keys?: readonly PublicJwk[];
  readonly idTokenAlgorithm: IdTokenAlgorithm;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; absent while the application is in force. */
  readonly revokedAt?: number;
}
