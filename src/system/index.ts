/** Public API of the Node adapters: implementations of the service's ports with Node and jose. */
import type { ServicePorts } from '../service/index.js';
import { systemClientAssertions } from './assertion-verifier.js';
import { systemClock } from './clock.js';
import { systemCredentialVerifier } from './credential-verifier/credential-verifier.js';
import { systemDpopProofs } from './dpop-verifier.js';
import { systemDigest, systemRandom } from './node-ports.js';
import { systemSigner } from './signer.js';

export { createAssertionVerifier } from './assertion-verifier.js';
export { systemClock } from './clock.js';
export { systemRandom, systemTimer } from './node-ports.js';
export { createSignInProvider, type ProviderCredential } from './sign-in-provider.js';

/** Every port of the service except its store and regex engine: clock, randomness, digests and signatures. */
export const systemPorts: Omit<ServicePorts, 'store' | 'regex'> = Object.freeze({
  clock: systemClock,
  random: systemRandom,
  digest: systemDigest,
  signer: systemSigner,
  verifier: systemCredentialVerifier,
  clientAssertions: systemClientAssertions,
  dpopProofs: systemDpopProofs,
});
