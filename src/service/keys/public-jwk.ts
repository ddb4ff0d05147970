/** Recognizes public JSON Web Keys, such as those of clients and issuers. */
import type { PublicJwk } from '../ports/verifiers.js';

/** The required members of a public key, by `kty` (RFC 7518 §6, RFC 8037 §2). */
const PUBLIC_MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
  ['RSA', ['n', 'e']],
]);
/** The optional members by which a key is selected to verify a signature. */
const OPTIONAL_MEMBERS = ['kid', 'alg', 'use'];
/** Members of a private or symmetric key (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** What a public key requires, for error messages. */
export const PUBLIC_JWK_FORM =
  'a public JWK (RFC 7517) without private members: `EC` with `crv`, `x` and `y`, `OKP` with `crv` and `x`, or `RSA` with `n` and `e`';

/** Returns whether a value is an asymmetric JWK with the public members of its type and no private member. Only checks that their values are strings. */
export function isPublicJwk(value: unknown): value is PublicJwk {
  if (typeof value !== 'object' || value === null || !('kty' in value)) return false;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const required = PUBLIC_MEMBERS.get(value.kty);
  return (
    required?.every((member) => typeof members[member] === 'string') === true &&
    OPTIONAL_MEMBERS.every((member) => ['string', 'undefined'].includes(typeof members[member])) &&
    !PRIVATE_MEMBERS.some((member) => member in value)
  );
}
