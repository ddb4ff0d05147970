/** The key of the hashes that identify credentials, their subjects, and accounts at providers. */
import type { Ports } from '../ports/ports.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';

const CREDENTIAL_KEY = 'credential-key';

/** Returns the key. Always from the store: with another key, revoked credentials would not be recognized. */
export async function getCredentialKey({
  store,
  random,
  digest,
}: Pick<Ports, 'store' | 'random' | 'digest'>): Promise<string> {
  return await store.getOrCreateSecret(CREDENTIAL_KEY, createOpaqueToken(random, digest).token);
}
