/** `==` and `!=`: JSON equality (L16). */
import { type JsonValue, jsonEquals } from '../claims/json-value.js';
import type { OperatorDefinition, ValueTest } from './operator.js';

export const equals: OperatorDefinition<JsonValue> = {
  name: '==',
  operand: 'any',
  compile: equalTo,
};

export const notEquals: OperatorDefinition<JsonValue> = {
  name: '!=',
  operand: 'any',
  compile: (operand) => {
    const equal = equalTo(operand);
    return (claim) => !equal(claim);
  },
};

/** A test for equality with an operand; primitives compare by identity, where −0 and 0 are one. */
export function equalTo(operand: JsonValue): ValueTest {
  if (typeof operand !== 'object' || operand === null) return (claim) => claim === operand;
  return (claim) => jsonEquals(claim, operand);
}
