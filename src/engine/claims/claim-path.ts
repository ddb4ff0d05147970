/** Claim paths: the only place that knows their grammar (L9). */
import { slotOf } from './claim-slots.js';

const PATH = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;

/**
 * A claim path with the claims that it could reach into, worked out once so that reading splits no string (L13).
 */
export interface ClaimReference {
  readonly path: string;
  /** Where a claim set keeps the claim of this path; -1 where it is found by its path alone. */
  readonly slot: number;
  /** Shorter paths that may carry this claim as a member, the longest first. */
  readonly carriers: readonly Carrier[];
}

/** A claim whose object value may hold another claim. */
export interface Carrier {
  readonly path: string;
  readonly slot: number;
  /** Member names from the carrier's value down to the claim. */
  readonly members: readonly string[];
}

const NO_CARRIERS: readonly Carrier[] = [];

/** Whether a text is a claim path: two or more segments of `[A-Za-z][A-Za-z0-9_]*` joined by dots (L9). Never throws. */
export function isClaimPath(text: string): boolean {
  return PATH.test(text);
}

/** Works out which claims a path could reach into (L13). The path must be one (L9). Never throws. */
export function toClaimReference(path: string): ClaimReference {
  // Most paths have two segments, and nothing that could carry them.
  if (path.indexOf('.') === path.lastIndexOf('.')) return { path, slot: slotOf(path), carriers: NO_CARRIERS };
  const segments = path.split('.');
  const carriers: Carrier[] = [];
  for (let count = segments.length - 1; count >= 2; count -= 1) {
    const carrier = segments.slice(0, count).join('.');
    carriers.push({ path: carrier, slot: slotOf(carrier), members: segments.slice(count) });
  }
  return { path, slot: slotOf(path), carriers };
}
