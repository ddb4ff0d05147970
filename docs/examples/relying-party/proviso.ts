/** The policy, the condition and the client of this relying party. In Next.js: `lib/proviso.ts`. */
import { p } from 'proviso/builder';
import { createClient } from 'proviso/client';

/** The policy of the offer: adults with a verified identity. */
export const policy = p.allOf(p.claim('identity.age').gte(18), p.claim('kyc.passed').equals(true));

/** The condition that decides the price. The person agrees to this condition instead of a scope, so the country is not disclosed. */
export const resident = p.claim('identity.country_of_residence').in(['PT', 'ES']);

export const proviso = createClient({
  issuer: process.env['PROVISO_ISSUER'] ?? 'http://127.0.0.1:8080/v2',
  clientId: 'sandbox-public',
  // The registered redirect URI; app/sign-in/route.ts adds the port.
  redirectUri: 'http://127.0.0.1/callback',
});
