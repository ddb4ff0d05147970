/** `startsWith` and `matchRegex`: strings by code unit, patterns by RE2 (L18). */
import type { CompiledPattern } from '../regex-engine.js';
import type { Continuation, OperatorDefinition, Predicate } from './operator.js';

export const startsWith: OperatorDefinition<string> = {
  operand: 'string',
  cost: () => 4,
  compile: begins,
};

export const matchRegex: OperatorDefinition<CompiledPattern> = {
  operand: 'pattern',
  cost: ({ programSize }) => 10 + programSize,
  compile: matches,
};

function begins(beginning: string, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && claim.startsWith(beginning);
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && claim.startsWith(beginning) && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' && claim.startsWith(beginning)) || next(claims);
      };
  }
}

function matches(pattern: CompiledPattern, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && pattern.test(claim);
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && pattern.test(claim) && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' && pattern.test(claim)) || next(claims);
      };
  }
}
