/** Which of a claim's candidates are still possible, as bits. */

/** Thirty-two candidates a word. Not changed once made. */
export type CandidateSet = Uint32Array;

const BITS = 32;

/** The candidates for which something holds. */
export function candidatesWhere(count: number, holds: (index: number) => boolean): CandidateSet {
  const set = new Uint32Array(Math.ceil(count / BITS));
  for (let index = 0; index < count; index += 1) {
    if (holds(index)) set[index >>> 5] = (set[index >>> 5] as number) | (1 << (index & 31));
  }
  return set;
}

/** The candidates that are in both. */
export function intersection(one: CandidateSet, other: CandidateSet): CandidateSet {
  return one.map((word, index) => word & (other[index] as number));
}

/** Whether there is no candidate left. */
export function isEmpty(set: CandidateSet): boolean {
  return set.every((word) => word === 0);
}

/** Whether two have a candidate in common. */
export function meets(one: CandidateSet, other: CandidateSet): boolean {
  return one.some((word, index) => (word & (other[index] as number)) !== 0);
}

/** Whether all of one are in the other. */
export function isWithin(one: CandidateSet, other: CandidateSet): boolean {
  return one.every((word, index) => (word & ~(other[index] as number)) === 0);
}

/** The candidates' numbers, smallest first. */
export function membersOf(set: CandidateSet): readonly number[] {
  const members: number[] = [];
  for (let index = 0; index < set.length * BITS; index += 1) {
    if (((set[index >>> 5] as number) & (1 << (index & 31))) !== 0) members.push(index);
  }
  return members;
}
