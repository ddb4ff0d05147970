/** Creates one RSA key per test run, since creating one takes a second and every test starts a service. */
import { createKeyPair } from './key-pair.js';

/** The environment variable with the key as a JWK, for tests and commands that they start. */
export const RSA_KEY = 'PROVISO_TEST_RSA_KEY';

export default function createRsaKey(): void {
  if (process.env[RSA_KEY] !== undefined) return;
  const { privateKey } = createKeyPair({ rsa: 3_072 });
  process.env[RSA_KEY] = JSON.stringify(privateKey.export({ format: 'jwk' }));
}
