/** Verifies credentials, with jose: asymmetric signatures only, configured keys only, no network. */
import type {
  CredentialExpectations,
  CredentialFormat,
  CredentialVerifier,
  TrustedIssuer,
  VerifiedCredential,
} from '../service/index.js';
import { MalformedJws } from './compact-jws.js';
import { verifyJwtVc } from './credential-verifier/jwt-vc.js';
import { CredentialRefusal } from './credential-verifier/refusal.js';
import { verifySdJwtVc } from './credential-verifier/sd-jwt-vc.js';

/** Longer texts are not read. Each character of a right one is a byte. */
const MAX_CODE_UNITS = 65_536;

type Verify = (
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
  expected: CredentialExpectations,
) => Promise<VerifiedCredential>;

const FORMATS: Readonly<Record<CredentialFormat, Verify>> = {
  jwt_vc_json: verifyJwtVc,
  'dc+sd-jwt': verifySdJwtVc,
};

/** Takes ES256, ES384, RS256, PS256 and EdDSA. Looks up no status or revocation list. */
export const systemCredentialVerifier: CredentialVerifier = Object.freeze({
  verify: async (text, format, issuers, now, expected = {}) => {
    try {
      if (text.length > MAX_CODE_UNITS) {
        throw new CredentialRefusal('too_large', 'A credential must not be longer than 64 KiB.');
      }
      const credential = await FORMATS[format](text, issuers, now, expected);
      if (!credential.issuer.mappings.some(({ type }) => credential.types.includes(type))) {
        throw new CredentialRefusal('type_unknown', "The type must be one that the issuer's mappings name.");
      }
      return { accepted: true, credential };
    } catch (error) {
      if (error instanceof CredentialRefusal) {
        return { accepted: false, reason: error.reason, message: error.message };
      }
      if (error instanceof MalformedJws) {
        return { accepted: false, reason: 'malformed', message: error.message };
      }
      // Nesting past the stack's depth ends here: a bad text is never the caller's exception.
      return { accepted: false, reason: 'malformed', message: 'The credential cannot be decoded.' };
    }
  },
} satisfies CredentialVerifier);
