/** Claim paths: their grammar, and the slot numbers that queries and claim sets share (L9). */
import { wrongType } from '../value-types.js';

const PATH = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/;

/** A claim path with the claims that may contain it, computed once so that no path is split during evaluation (L13). */
export interface ClaimReference {
  readonly path: string;
  /** Index of the claim in a claim set; -1 where the claim is looked up by its path. */
  readonly slot: number;
  /** Claims with shorter paths that may contain this claim as a member, longest path first. */
  readonly parents: readonly ParentClaim[];
}

/** A claim whose object value may contain another claim. */
export interface ParentClaim {
  readonly path: string;
  readonly slot: number;
  /** Member names from the parent's value down to the claim. */
  readonly members: readonly string[];
}

const NO_PARENTS: readonly ParentClaim[] = [];

/** Returns whether a string is a claim path: two or more segments of `[A-Za-z][A-Za-z0-9_]*` joined by dots (L9). Never throws. */
export function isClaimPath(text: string): boolean {
  return typeof text === 'string' && PATH.test(text);
}

/**
 * Returns a claim path.
 *
 * @throws {RangeError} When a string is not a claim path (L9).
 * @throws {TypeError} For anything but a string.
 */
export function assertClaimPath(path: string): string {
  if (isClaimPath(path)) return path;
  const grammar = 'two or more names joined by dots, such as `identity.age`';
  if (typeof path !== 'string') throw wrongType('a claim path', 'a string', path);
  throw new RangeError(`a claim path must be ${grammar} (got \`${path}\`)`);
}

/**
 * Returns the reference of a claim path, with the claims that may contain it (L13).
 *
 * @throws {RangeError} When a string is not a claim path (L9).
 * @throws {TypeError} For anything but a string.
 */
export function toClaimReference(path: string): ClaimReference {
  const known = REFERENCES[SLOTS.get(path) ?? 0];
  if (known !== undefined) return known;
  const reference = createReference(path);
  if (reference.slot !== NO_SLOT) REFERENCES[reference.slot] = reference;
  return reference;
}

function createReference(path: string): ClaimReference {
  if (findSlot(path) === undefined) assertClaimPath(path);
  // Most paths have two segments, and so no parents.
  if (path.indexOf('.') === path.lastIndexOf('.'))
    return Object.freeze({ path, slot: slotOf(path), parents: NO_PARENTS });
  const segments = path.split('.');
  const parents: ParentClaim[] = [];
  for (let count = segments.length - 1; count >= 2; count -= 1) {
    const parent = segments.slice(0, count).join('.');
    parents.push({ path: parent, slot: slotOf(parent), members: segments.slice(count) });
  }
  return Object.freeze({ path, slot: slotOf(path), parents });
}

/** The slot of a path beyond {@link MAX_SLOTS}, which is looked up by its text. */
export const NO_SLOT = -1;

/** Maximum number of slots, slot 0 included; further paths get none. It is bounded, since paths are input of callers. */
const MAX_SLOTS = 1_024;

/**
 * Slots by path. They do not affect results: a path without a slot is looked up by its text. Slots are never
 * reassigned, so compiled queries remain valid.
 */
const SLOTS = new Map<string, number>();

/** References by slot, shared by all queries. Slot 0 has none. */
const REFERENCES: (ClaimReference | undefined)[] = [];

/** Finds the slot of a claim path; `undefined` where none is assigned. Never throws. */
export function findSlot(path: string): number | undefined {
  return SLOTS.get(path);
}

/** Returns the slot of a claim path, assigned on first use; {@link NO_SLOT} where none is left. Never throws. */
export function slotOf(path: string): number {
  const known = SLOTS.get(path);
  if (known !== undefined) return known;
  if (slotCount() === MAX_SLOTS) return NO_SLOT;
  SLOTS.set(path, SLOTS.size + 1);
  return SLOTS.size;
}

/** Returns the number of assigned slots, including slot 0, which no path has. Never throws. */
export function slotCount(): number {
  return SLOTS.size + 1;
}
