/** `isDefined`: the only operator that can tell an undefined claim (L12, L14). */
import type { OperatorDefinition } from './operator.js';

export const isDefined: OperatorDefinition<undefined> = {
  name: 'isDefined',
  operand: 'none',
  // Tests are called on defined claims only, so there is nothing left to decide.
  compile: () => () => true,
};
