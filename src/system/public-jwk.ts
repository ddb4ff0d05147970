/** Checks of JWKs and identifiers that somebody else wrote (RFC 7517, RFC 7519). */

const KEY_TYPES = ['EC', 'RSA', 'OKP'];
/** Members of a private or symmetric key (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Whether a value is an asymmetric JWK without a private member. Its public members are not checked. */
export function isPublicJwk(key: unknown): boolean {
  return (
    typeof key === 'object' &&
    key !== null &&
    'kty' in key &&
    KEY_TYPES.includes(String(key.kty)) &&
    !PRIVATE_MEMBERS.some((member) => member in key)
  );
}

/** Whether a value is a text by which something can be identified and stored: 1 to 256 code units without control characters. */
export function isIdentifier(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= 256 && !/\p{Cc}|\p{Surrogate}/u.test(value)
  );
}
