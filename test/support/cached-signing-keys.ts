/** Signing keys cached per process, since creating an RSA key takes a second and every test starts a service. */
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Signer } from '../../src/service/index.js';
import { systemSigner } from '../../src/system/signer.js';
import { RSA_KEY } from './rsa-key-for-tests.js';

type CreatedKey = ReturnType<Signer['createKey']>;
type Algorithm = Parameters<Signer['createKey']>[0];

/** Keys in the order in which a service creates them. */
const createdKeys: Record<Algorithm, CreatedKey[]> = { ES256: [], RS256: [] };

/**
 * Creates the service's signer with cached keys: a signer returns another key on each call, and all signers return the same keys in the
 * same order.
 */
export function createCachingSigner(): Signer {
  const requestCounts: Record<Algorithm, number> = { ES256: 0, RS256: 0 };
  return {
    ...systemSigner,
    createKey: (algorithm) => {
      const index = requestCounts[algorithm];
      requestCounts[algorithm] += 1;
      const key =
        createdKeys[algorithm][index] ??
        (index === 0 ? importKeyOfRun(algorithm) : undefined) ??
        systemSigner.createKey(algorithm);
      createdKeys[algorithm][index] = key;
      return key;
    },
  };
}

/** Imports the RSA key of this test run, if there is one. */
function importKeyOfRun(algorithm: Algorithm): CreatedKey | undefined {
  const privateJwk = process.env[RSA_KEY];
  if (algorithm !== 'RS256' || privateJwk === undefined) return undefined;
  return calculateJwkThumbprint(JSON.parse(privateJwk) as JWK).then((kid) => ({
    kid,
    algorithm,
    privateJwk,
  }));
}
