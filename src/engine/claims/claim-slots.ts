/** A number for each claim path, the same for all queries and claim sets: the two meet by index instead of by text. */

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
