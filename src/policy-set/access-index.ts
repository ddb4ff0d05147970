/**
 * Finds the policies that a person may pass, by their necessary conditions.
 *
 * A tree: a node collects policies until it is full, and then distributes them by the condition that the fewest people meet; the nodes
 * below do the same by the conditions that are left. A person's keys lead to few nodes, however many there are.
 */
import type { ClaimSet } from '../engine/claims/claim-set.js';
import { Comparison, type KeyKind } from './comparison.js';
import { IndexNode, type Position } from './index-node.js';
import type { ItemNumber, ItemTable } from './item-table.js';
import {
  bestCondition,
  type Comparisons,
  type Condition,
  type Key,
  necessaryConditions,
} from './necessary-conditions.js';

/** The most keys of a condition by the depth of the node, which bound the number of nodes that contain a policy. */
const MAX_KEYS: readonly number[] = [64, 4];

/** The index of a policy set, by position. */
export class AccessIndex {
  readonly #items: ItemTable;
  readonly #nodeCapacity: number;
  readonly #root = new IndexNode();
  readonly #comparisons = new ComparisonTable(this.#root);
  /** By position: the item of the policy. */
  readonly #roots: ItemNumber[] = [];
  /** By position: the nodes that contain the policy. */
  readonly #nodes: (IndexNode | readonly IndexNode[] | undefined)[] = [];
  /** The policies without a necessary condition. */
  readonly #residual = new Set<Position>();

  /** @param nodeCapacity - A node with more policies distributes those that have a further condition. */
  constructor(items: ItemTable, nodeCapacity: number) {
    this.#items = items;
    this.#nodeCapacity = nodeCapacity;
  }

  /** Number of policies without a necessary condition: everybody is tested on them. */
  get residualSize(): number {
    return this.#residual.size;
  }

  add(position: Position, root: ItemNumber): void {
    this.#roots[position] = root;
    const conditions = this.#conditions(position);
    if (conditions.length === 0) this.#residual.add(position);
    else this.#insert(this.#root, position, conditions);
  }

  delete(position: Position): void {
    if (this.#residual.delete(position)) return;
    const nodes = this.#nodesOf(position);
    this.#nodes[position] = undefined;
    for (const node of nodes) node.countDeletion((other) => this.#nodesOf(other).includes(node));
  }

  /** Returns the policies that the person may pass: a position may occur several times, or belong to a deleted policy. */
  collect(claims: ClaimSet): readonly Position[] {
    const found = [...this.#residual];
    this.#root.collect(claims, found);
    this.#comparisons.end();
    return found;
  }

  #insert(node: IndexNode, position: Position, conditions: readonly Condition[]): void {
    const next = node.isDistributed ? nextCondition(node, conditions) : undefined;
    if (next !== undefined) {
      const others = conditions.filter((condition) => condition !== next);
      for (const { comparison, value } of next.keys)
        this.#insert(node.child(comparison, value), position, others);
      return;
    }
    node.policies.push(position);
    this.#nodes[position] = withNode(this.#nodes[position], node);
    if (!node.isDistributed && node.policies.length > this.#nodeCapacity) this.#distribute(node);
  }

  #distribute(node: IndexNode): void {
    for (const position of node.startDistribution()) {
      const nodes = this.#nodesOf(position);
      if (!nodes.includes(node)) continue;
      this.#nodes[position] = nodes.filter((each) => each !== node);
      const isMet = ({ comparison, value }: Key) => node.isBelow(comparison, value);
      this.#insert(
        node,
        position,
        this.#conditions(position).filter(({ keys }) => !keys.some(isMet)),
      );
    }
  }

  #conditions(position: Position): readonly Condition[] {
    return necessaryConditions(this.#items, this.#roots[position] as ItemNumber, this.#comparisons);
  }

  #nodesOf(position: Position): readonly IndexNode[] {
    const nodes = this.#nodes[position];
    if (nodes === undefined) return [];
    return nodes instanceof IndexNode ? [nodes] : nodes;
  }
}

/** Adds a node, alone or to a list: most policies are in one node. */
function withNode(
  nodes: IndexNode | readonly IndexNode[] | undefined,
  node: IndexNode,
): IndexNode | readonly IndexNode[] {
  if (nodes === undefined) return node;
  const list = nodes instanceof IndexNode ? [nodes] : nodes;
  return list.length === 0 ? node : list.includes(node) ? list : [...list, node];
}

/** Returns the condition that the fewest people meet, of those with few enough keys. */
function nextCondition({ depth }: IndexNode, conditions: readonly Condition[]): Condition | undefined {
  const most = MAX_KEYS[depth] ?? 1;
  return bestCondition(conditions.filter(({ keys }) => keys.length <= most));
}

/** The comparisons of a set, by claim and kind. */
class ComparisonTable implements Comparisons {
  readonly #root: IndexNode;
  readonly #comparisons = new Map<string, Map<KeyKind, Comparison>>();

  constructor(root: IndexNode) {
    this.#root = root;
  }

  get(claim: string, kind: KeyKind): Comparison {
    let kinds = this.#comparisons.get(claim);
    if (kinds === undefined) {
      kinds = new Map();
      this.#comparisons.set(claim, kinds);
    }
    let comparison = kinds.get(kind);
    if (comparison === undefined) {
      comparison = new Comparison(claim, kind);
      kinds.set(kind, comparison);
    }
    return comparison;
  }

  countValues(comparison: Comparison): number {
    return this.#root.countKeys(comparison);
  }

  /** Ends a match, so that no claims are retained. */
  end(): void {
    for (const kinds of this.#comparisons.values()) for (const comparison of kinds.values()) comparison.end();
  }
}
