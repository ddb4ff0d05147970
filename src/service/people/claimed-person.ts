/** Maps the claims of an OpenID Connect provider to a person (S325). */
import type { JsonValue } from '../../engine/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { valueAt } from '../json/value-at.js';
import type { ProviderIdentity, SignInProviderSettings } from '../ports/sign-in-provider.js';

/** A person as a provider describes them. */
export interface ClaimedPerson {
  /** `sub`, which identifies the account. */
  readonly subject: string;
  /** Absent unless the mapped claim has the form that {@link isIdentifier} tests. */
  readonly name?: string;
  /** Absent unless the provider verified the address. */
  readonly email?: string;
}

/** 1 to 255 code points without control characters or lone surrogates. */
const IDENTIFIER = /^(?:(?![\p{Cc}\p{Surrogate}])[\s\S]){1,255}$/u;

/**
 * Maps claims to a person; `undefined` if `sub` is not an identifier. Claims of the ID token take precedence over those of the UserInfo response. The
 * e-mail address and whether it is verified are read from the same source: one of them in the ID token states nothing about the other in the UserInfo
 * response. Never throws.
 */
export function claimedPersonOf(
  { subject, claims, userInfo = {} }: ProviderIdentity,
  { claims: pointers }: Pick<SignInProviderSettings, 'claims'>,
): ClaimedPerson | undefined {
  if (!isIdentifier(subject)) return undefined;
  // Parsed JSON.
  const readTogether = (...together: readonly string[]) => {
    const signed = together.map((pointer) => valueAt(claims as JsonValue, pointer));
    return signed.includes(undefined)
      ? together.map((pointer) => valueAt(userInfo as JsonValue, pointer))
      : signed;
  };
  const [name] = readTogether(pointers.name);
  const [email, verified] = readTogether(pointers.email, pointers.emailVerified);
  // Some providers send the member as a string.
  const isVerified = verified === true || verified === 'true';
  return {
    subject,
    ...omitUndefined({
      name: isIdentifier(name) ? name : undefined,
      email: isVerified && isEmailAddress(email) ? email : undefined,
    }),
  };
}

/** Whether a value has the form of an e-mail address that a person can be found by. Never throws. */
export function isEmailAddress(value: unknown): value is string {
  return isIdentifier(value) && value.includes('@');
}

/** Whether a value is a string of the form {@link IDENTIFIER}, with at most 255 code units (OpenID Connect Core §2: `sub` has at most 255). */
function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 255 && IDENTIFIER.test(value);
}
