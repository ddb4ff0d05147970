/** The policy, the condition and the client of this relying party. In Next.js: `lib/proviso.ts`. */
import { p } from 'proviso/builder';
import { createClient } from 'proviso/client';

/** The policy of the offer: adults with a verified identity. */
export const policy = p.allOf(p.claim('identity.age').gte(18), p.claim('kyc.passed').equals(true));

/** The question that decides the price. The person agrees to this question, and not to a scope: the country stays unknown. */
export const resident = p.claim('identity.country_of_residence').in(['PT', 'ES']);

export const proviso = createClient({
  issuer: process.env['PROVISO_ISSUER'] ?? 'http://127.0.0.1:8080/v2',
  clientId: 'sandbox-public',
  // The registered redirect URI; serve.ts sets the port.
  redirectUri: 'http://127.0.0.1/callback',
});
