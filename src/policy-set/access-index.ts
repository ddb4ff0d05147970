/**
 * Finds the policies that a person may pass. A policy is listed under the keys of its necessary conditions, first under those of the
 * condition that the fewest people are estimated to meet. A person's keys lead to few lists, however many there are.
 */
import type { ClaimTable } from './claim-table.js';
import { ConditionLayer } from './condition-layer.js';
import type { ItemNumber, ItemTable } from './item-table.js';
import { necessaryConditions } from './necessary-conditions.js';

/** The position of a policy in its set. */
export type Position = number;

/** Number of conditions of a policy that are indexed. Each excludes policies for less time than testing them takes. */
const LAYERS = 2;

/** A further condition that more people are estimated to meet is not indexed: it would exclude too few of them. */
const GREATEST_SHARE = 0.7;

/** The index of a policy set, by position. */
export class AccessIndex {
  readonly #items: ItemTable;
  /** One per condition of a policy. */
  readonly #layers: readonly ConditionLayer[];

  constructor(items: ItemTable) {
    this.#items = items;
    this.#layers = Array.from({ length: LAYERS }, () => new ConditionLayer(items));
  }

  /** Returns whether a policy has no necessary condition: everybody is tested on it. */
  isResidual(root: ItemNumber): boolean {
    return necessaryConditions(this.#items, root).length === 0;
  }

  /** Adds a policy. @returns Whether it is residual. */
  add(position: Position, root: ItemNumber): boolean {
    const conditions = necessaryConditions(this.#items, root);
    for (const [index, layer] of this.#layers.entries()) {
      const condition = conditions[index];
      if (condition === undefined || (index > 0 && condition.share > GREATEST_SHARE))
        layer.addUnconditional(position);
      else layer.add(position, condition);
    }
    return conditions.length === 0;
  }

  /**
   * Returns the policies that the person of the match may pass as a bitmap, which may contain deleted ones.
   *
   * @param size - Number of positions.
   */
  collect(claims: ClaimTable, size: number): Uint32Array<ArrayBuffer> {
    const found = new Uint32Array(Math.ceil(size / 32));
    const met = new Uint32Array(found.length);
    for (const [index, layer] of this.#layers.entries()) {
      layer.collect(claims, index === 0 ? found : met);
      if (index > 0)
        for (let word = 0; word < found.length; word += 1)
          found[word] = (found[word] as number) & (met[word] as number);
    }
    return found;
  }

  /** Removes deleted policies. */
  purge(isDeleted: (position: Position) => boolean): void {
    for (const layer of this.#layers) layer.purge(isDeleted);
  }
}
