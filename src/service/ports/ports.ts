/** Everything that the service reaches the outside world through, together. */
import type { AuditTrail } from '../audit/audit-trail.js';
import type { ClientAssertionVerifier } from './assertion-verifier.js';
import type { Clock } from './clock.js';
import type { CredentialVerifier } from './credential-verifier.js';
import type { Digest } from './digest.js';
import type { DpopVerifier } from './dpop-verifier.js';
import type { Random } from './random.js';
import type { Signer } from './signer.js';
import type { Store } from './store/store.js';

export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly signer: Signer;
  readonly verifier: CredentialVerifier;
  /** For clients that authenticate by signing; where absent there are none. */
  readonly clientAssertions?: ClientAssertionVerifier;
  /** For tokens that are bound to a key of the client (DPoP); where absent none are issued, and those that were are rejected. */
  readonly dpopProofs?: DpopVerifier;
  /** Takes what is shown and refused, before it leaves; where absent, that is not recorded. */
  readonly audit?: AuditTrail;
}
