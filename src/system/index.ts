/** What a service that is embedded reaches the outside world with, by Node and jose; its store comes from another entry. */
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

/** Every port of the service but its store and its regular expressions: the system's clock, randomness, digests and signatures. */
export const systemPorts: Omit<ServicePorts, 'store' | 'regex'> = Object.freeze({
  clock: systemClock,
  random: systemRandom,
  digest: systemDigest,
  signer: systemSigner,
  verifier: systemCredentialVerifier,
  clientAssertions: systemClientAssertions,
  dpopProofs: systemDpopProofs,
});
