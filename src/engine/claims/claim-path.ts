/** Claim paths: the only place that knows their grammar, and the number (slot) of each, by which queries and claim sets meet (L9). */
const PATH = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;

/**
 * A claim path with the claims that it could reach into, worked out once so that reading splits no string (L13).
 */
export interface ClaimReference {
  readonly path: string;
  /** Where a claim set keeps the claim of this path; -1 where it is found by its path alone. */
  readonly slot: number;
  /** Shorter paths that may carry this claim as a member, the longest first. */
  readonly parents: readonly ParentClaim[];
}

/** A claim whose object value may hold another claim. */
export interface ParentClaim {
  readonly path: string;
  readonly slot: number;
  /** Member names from the carrier's value down to the claim. */
  readonly members: readonly string[];
}

const NO_PARENTS: readonly ParentClaim[] = [];

/** Whether a text is a claim path: two or more segments of `[A-Za-z][A-Za-z0-9_]*` joined by dots (L9). Never throws. */
export function isClaimPath(text: string): boolean {
  return PATH.test(text);
}

/** Works out which claims a path could reach into (L13). The path must be one (L9). Never throws. */
export function toClaimReference(path: string): ClaimReference {
  // Most paths have two segments, and nothing that could carry them.
  if (path.indexOf('.') === path.lastIndexOf('.')) return { path, slot: slotOf(path), parents: NO_PARENTS };
  const segments = path.split('.');
  const parents: ParentClaim[] = [];
  for (let count = segments.length - 1; count >= 2; count -= 1) {
    const parent = segments.slice(0, count).join('.');
    parents.push({ path: parent, slot: slotOf(parent), members: segments.slice(count) });
  }
  return { path, slot: slotOf(path), parents: parents };
}

/** A path that came too late for a number of its own: it is looked up by text. */
export const NO_SLOT = -1;

/** Paths come from strangers, so there is an end to them; each claim set has room for as many values. */
const MAX_SLOTS = 1_024;

/**
 * The numbers given so far. They are no part of any answer: a path without one is found as well, only by another way. Nothing is ever
 * taken back, so that what was compiled once stays right.
 */
const SLOTS = new Map<string, number>();

/** The slot of a claim path, given to it now if it has none and there is one left; otherwise {@link NO_SLOT}. Never throws. */
export function slotOf(path: string): number {
  const known = SLOTS.get(path);
  if (known !== undefined) return known;
  if (SLOTS.size === MAX_SLOTS) return NO_SLOT;
  SLOTS.set(path, SLOTS.size);
  return SLOTS.size - 1;
}

/** How many slots are given. Never throws. */
export function slotCount(): number {
  return SLOTS.size;
}
