/** The values of claims, by path. */
import { type ClaimSet, findClaim, type JsonValue, toClaimReference } from '../../engine/index.js';

/** Returns the values of the claims that are defined, by path. */
export function valuesOf(paths: readonly string[], claims: ClaimSet): ReadonlyMap<string, JsonValue> {
  return new Map(
    paths.flatMap((path) => {
      const found = findClaim(claims, toClaimReference(path));
      return found === undefined ? [] : [[path, found.value] as const];
    }),
  );
}
