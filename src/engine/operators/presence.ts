/** `isDefined`: the only operator that can tell an undefined claim (L12, L14). */
import { join, type OperatorDefinition } from './operator.js';

export const isDefined: OperatorDefinition<undefined> = {
  operand: 'none',
  cost: () => 1,
  compile: (_operand, slot, then) => join((claims) => claims[slot] !== undefined, then),
};
