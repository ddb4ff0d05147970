/** The port of signatures: the service never touches a private key itself (V10). */
import type { IdTokenAlgorithm } from '../clients/application.js';
import type { SigningKey } from '../keys/signing-key.js';

export interface Signer {
  /** Makes a key pair: P-256 for ES256, 3072 bits for RS256 (D19). */
  createKey(algorithm: IdTokenAlgorithm): Promise<Pick<SigningKey, 'kid' | 'algorithm' | 'privateJwk'>>;

  /** Signs claims as a JWT (RFC 7519) with `alg`, `kid` and `typ` in its header. */
  sign(claims: Readonly<Record<string, unknown>>, key: SigningKey): Promise<string>;

  /**
   * Verifies a JWT that one of these keys signed, and returns its claims; checks none of them, the expiry included. `kid` and `alg` of the
   * header must be those of one key.
   *
   * @returns `undefined` for every other text. Never rejects.
   */
  verify(token: string, keys: readonly SigningKey[]): Promise<Readonly<Record<string, unknown>> | undefined>;

  /** The public half as a JSON Web Key with `kid`, `alg` and `use` (RFC 7517), and no private member. */
  toPublicJwk(key: SigningKey): Readonly<Record<string, unknown>>;
}
