/** Which claims a grant covers. */
import type { ScopeCatalogue } from '../../engine/index.js';

/** Returns whether the granted scopes, with those that they imply, cover a claim path (L20). */
export function coveredClaims(
  granted: readonly string[],
  catalogue: ScopeCatalogue,
): (path: string) => boolean {
  const held = catalogue.expand(granted);
  return (path) => catalogue.coveringScopes(path).some((scope) => held.has(scope));
}
