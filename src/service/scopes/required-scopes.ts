/** Which of the requested scopes a person cannot keep while they share the others, and why. */

const REQUIRED: ReadonlyMap<string, string> = new Map([
  ['openid', 'Always part of it: without this, nobody could tell that it was you who agreed.'],
]);

/** Why the consent page does not let a scope be unticked; `undefined` where it does. Never throws. */
export function whyRequired(scope: string): string | undefined {
  return REQUIRED.get(scope);
}
