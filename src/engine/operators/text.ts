/** `startsWith` and `matchRegex`: strings by code unit, patterns by RE2 (L18). */
import type { CompiledPattern } from '../regex-engine.js';
import type { OperatorDefinition } from './operator.js';

export const startsWith: OperatorDefinition<string> = {
  name: 'startsWith',
  operand: 'string',
  compile: (beginning) => (claim) => typeof claim === 'string' && claim.startsWith(beginning),
};

export const matchRegex: OperatorDefinition<CompiledPattern> = {
  name: 'matchRegex',
  operand: 'pattern',
  compile: (pattern) => (claim) => typeof claim === 'string' && pattern.test(claim),
};
