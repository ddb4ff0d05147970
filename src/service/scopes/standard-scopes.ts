/** The scopes of OpenID Connect with a meaning of their own (OpenID Connect Core §5.4, §11). */

const CLAIMS_OF_SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['profile', ['name', 'birthdate']],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
  ['address', ['address']],
  // Every redeemed code gives a refresh token: the scope is accepted and changes nothing.
  ['offline_access', []],
]);

/** Whether client libraries may request a scope by default, whatever the application is registered for. */
export function isStandardScope(scope: string): boolean {
  return CLAIMS_OF_SCOPES.has(scope);
}

/** The standard scope that requests a member of user information; `undefined` for a member without one. */
export function standardScopeOf(claim: string): string | undefined {
  for (const [scope, claims] of CLAIMS_OF_SCOPES) if (claims.includes(claim)) return scope;
  return undefined;
}
