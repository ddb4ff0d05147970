/** The nodes of the tree that leads from a person's keys to policies. */
import type { ClaimSet } from '../engine/claims/claim-set.js';
import type { JsonPrimitive } from '../engine/claims/json-value.js';
import type { Comparison } from './comparison.js';

/** The position of a policy in its set. */
export type Position = number;

/** The nodes below a node, by the key of one comparison. */
interface Children {
  readonly nodes: Map<JsonPrimitive, IndexNode>;
  /** For ranges: the keys in ascending order. */
  readonly bounds: number[];
}

/** A node: policies that have the conditions on the path to it, some of them in nodes below by a further condition. */
export class IndexNode {
  /** The policies of this node alone. May contain deleted policies, at most as many as others. */
  policies: Position[] = [];
  /** Number of conditions on the path to the node. */
  readonly depth: number;
  #deleted = 0;
  #children: Map<Comparison, Children> | undefined;
  readonly #parent: IndexNode | undefined;
  readonly #comparison: Comparison | undefined;
  readonly #key: JsonPrimitive;

  /** @param comparison - The condition: a comparison, and its key. Absent for the root. */
  constructor(parent?: IndexNode, comparison?: Comparison, key: JsonPrimitive = null) {
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.#parent = parent;
    this.#comparison = comparison;
    this.#key = key;
  }

  /** Whether policies are distributed to nodes below. */
  get isDistributed(): boolean {
    return this.#children !== undefined;
  }

  /** Starts to distribute policies. @returns The policies to distribute. */
  startDistribution(): readonly Position[] {
    const { policies } = this;
    this.policies = [];
    this.#deleted = 0;
    this.#children ??= new Map();
    return policies;
  }

  /** Returns the number of keys of a comparison. */
  countKeys(comparison: Comparison): number {
    return this.#children?.get(comparison)?.nodes.size ?? 0;
  }

  /** Returns whether this node is at or below a key, so that everybody who reaches it meets the key. */
  isBelow(comparison: Comparison, key: JsonPrimitive): boolean {
    if (this.#comparison === comparison && this.#key === key) return true;
    return this.#parent?.isBelow(comparison, key) ?? false;
  }

  /** Returns the node below a key, created on first use. */
  child(comparison: Comparison, key: JsonPrimitive): IndexNode {
    this.#children ??= new Map();
    let children = this.#children.get(comparison);
    if (children === undefined) {
      children = { nodes: new Map(), bounds: [] };
      this.#children.set(comparison, children);
    }
    let node = children.nodes.get(key);
    if (node === undefined) {
      node = new IndexNode(this, comparison, key);
      children.nodes.set(key, node);
      if (comparison.isRange)
        children.bounds.splice(countUpTo(children.bounds, key as number), 0, key as number);
    }
    return node;
  }

  /** Appends the policies of this node, and of the nodes below to which the person's keys lead. */
  collect(claims: ClaimSet, found: Position[]): void {
    const { policies } = this;
    for (let index = 0; index < policies.length; index += 1) found.push(policies[index] as Position);
    if (this.#children === undefined) return;
    for (const [comparison, { nodes, bounds }] of this.#children) {
      const keys = comparison.keys(claims);
      if (!comparison.isRange) {
        for (const key of keys) nodes.get(key)?.collect(claims, found);
        continue;
      }
      const end = keys.length === 0 ? 0 : countUpTo(bounds, keys[0] as number);
      for (let index = 0; index < end; index += 1) nodes.get(bounds[index] as number)?.collect(claims, found);
    }
  }

  /**
   * Counts a deletion. Removes deleted policies once they are half of all, and the node once it is empty.
   *
   * @param contains - Returns whether a policy is in this node and not deleted.
   */
  countDeletion(contains: (position: Position) => boolean): void {
    this.#deleted += 1;
    if (this.#deleted * 2 <= this.policies.length) return;
    this.policies = [...new Set(this.policies)].filter(contains);
    this.#deleted = 0;
    this.#removeIfEmpty();
  }

  #removeIfEmpty(): void {
    if (this.policies.length > 0 || (this.#children?.size ?? 0) > 0) return;
    if (this.#parent !== undefined && this.#comparison !== undefined)
      this.#parent.#removeChild(this.#comparison, this.#key);
  }

  #removeChild(comparison: Comparison, key: JsonPrimitive): void {
    const children = this.#children?.get(comparison);
    if (children === undefined) return;
    children.nodes.delete(key);
    if (comparison.isRange) children.bounds.splice(countUpTo(children.bounds, key as number) - 1, 1);
    if (children.nodes.size > 0) return;
    this.#children?.delete(comparison);
    this.#removeIfEmpty();
  }
}

/** Returns how many of the ascending bounds are at most a number. */
function countUpTo(bounds: readonly number[], number: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}
