/** What this relying party asks of people, and whom it asks. In Next.js: `lib/proviso.ts`. */
import { p } from 'proviso/builder';
import { createClient } from 'proviso/client';

/** What the offer is for: people who are of age, and whose identity somebody has checked. */
export const policy = p.allOf(p.claim('identity.age').gte(18), p.claim('kyc.passed').equals(true));

export const proviso = createClient({
  issuer: process.env['PROVISO_ISSUER'] ?? 'http://127.0.0.1:8080/v2',
  clientId: 'sandbox-public',
  // Where people come back to; it has to be registered. serve.ts says which port.
  redirectUri: 'http://127.0.0.1/callback',
});
