/** `startsWith` and `matchRegex`: strings by code unit, patterns by RE2 (L18). */
import type { CompiledPattern } from '../regex-engine.js';
import { join, type OperatorDefinition, type Predicate } from './operator.js';

export const startsWith: OperatorDefinition<string> = {
  name: 'startsWith',
  operand: 'string',
  compile: (beginning, slot, then) => {
    const begins: Predicate = (claims) => {
      const claim = claims.values[slot];
      return typeof claim === 'string' && claim.startsWith(beginning);
    };
    return join(begins, then);
  },
};

export const matchRegex: OperatorDefinition<CompiledPattern> = {
  name: 'matchRegex',
  operand: 'pattern',
  compile: (pattern, slot, then) => {
    const matches: Predicate = (claims) => {
      const claim = claims.values[slot];
      return typeof claim === 'string' && pattern.test(claim);
    };
    return join(matches, then);
  },
};
