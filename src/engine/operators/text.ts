/** `startsWith` and `matchRegex`: strings by code unit, patterns by RE2 (L18). */
import type { OperatorDefinition } from './operator.js';

export const startsWith: OperatorDefinition = {
  name: 'startsWith',
  operand: { kind: 'string' },
  compile: ({ value }) => {
    if (typeof value !== 'string') throw new TypeError('the operand of `startsWith` is a string');
    return (claim) => typeof claim === 'string' && claim.startsWith(value);
  },
};

export const matchRegex: OperatorDefinition = {
  name: 'matchRegex',
  operand: { kind: 'pattern' },
  compile: ({ pattern }) => {
    if (pattern === undefined)
      throw new TypeError('`matchRegex` needs a regular-expression engine; hand one in as `regex`');
    return (claim) => typeof claim === 'string' && pattern.test(claim);
  },
};
