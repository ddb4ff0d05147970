/** Maps claim paths to claims of the catalogue, without the rest of a path, which is text of the caller. */
import type { ServiceCatalogue } from './service-catalogue.js';

/** Returns the distinct claims of the catalogue that the paths name or are nested in. */
export function knownClaims(paths: readonly string[], catalogue: ServiceCatalogue): readonly string[] {
  return [...new Set(paths.flatMap((path) => claimOf(path, catalogue) ?? []))];
}

/** Finds the claim that a path names or is nested in. */
function claimOf(path: string, { findClaim }: ServiceCatalogue): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const claim = findClaim(path.slice(0, end));
    if (claim !== undefined) return claim.path;
  }
  return undefined;
}
