/** Maps claim paths to claims of the catalogue, without the rest of a path, which is text of the caller. */
import type { ServiceCatalogue } from './service-catalogue.js';

/** Returns the distinct claims of the catalogue that the paths name or are nested in. */
export function knownClaims(paths: readonly string[], catalogue: ServiceCatalogue): readonly string[] {
  return [...new Set(paths.flatMap((path) => findEnclosing(path, catalogue.findClaim)?.path ?? []))];
}

/** Returns what `find` returns for the claim that a path names or is nested in: the innermost claim for which it finds something. */
export function findEnclosing<Found>(
  path: string,
  find: (claim: string) => Found | undefined,
): Found | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const found = find(path.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}
