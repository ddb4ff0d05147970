/** `==` and `!=`: JSON equality (L16). */
import { type JsonValue, jsonEquals } from '../claims/json-value.js';
import type { OperatorDefinition, ValueTest } from './operator.js';

export const equals: OperatorDefinition = {
  name: '==',
  operand: { kind: 'any' },
  compile: ({ value }) => equalTo(value),
};

export const notEquals: OperatorDefinition = {
  name: '!=',
  operand: { kind: 'any' },
  compile: ({ value }) => {
    const equal = equalTo(value);
    return (claim) => !equal(claim);
  },
};

/** A test for equality with an operand; primitives compare by identity, where −0 and 0 are one. */
export function equalTo(operand: JsonValue): ValueTest {
  if (typeof operand !== 'object' || operand === null) return (claim) => claim === operand;
  return (claim) => jsonEquals(claim, operand);
}
