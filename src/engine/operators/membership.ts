/** `in`, `notIn` and `contains`: JSON equality over lists (L16, L18). */
import { isJsonArray, type JsonPrimitive, type JsonValue, jsonEquals } from '../claims/json-value.js';
import { equalTo } from './equality.js';
import type { OperatorDefinition, ValueTest } from './operator.js';

export const isIn: OperatorDefinition = {
  name: 'in',
  operand: { kind: 'array' },
  compile: ({ value }) => memberOf(value),
};

export const notIn: OperatorDefinition = {
  name: 'notIn',
  operand: { kind: 'array' },
  compile: ({ value }) => {
    const member = memberOf(value);
    return (claim) => !member(claim);
  },
};

export const contains: OperatorDefinition = {
  name: 'contains',
  operand: { kind: 'any' },
  compile: ({ value }) => {
    const equal = equalTo(value);
    return (claim) => isJsonArray(claim) && claim.some(equal);
  },
};

function memberOf(list: JsonValue): ValueTest {
  if (!isJsonArray(list)) throw new TypeError('the operand of `in` and `notIn` is an array');
  const primitives = new Set<JsonValue>(list.filter(isPrimitive));
  const composites = list.filter((entry) => !isPrimitive(entry));
  if (composites.length === 0) return (claim) => primitives.has(claim);
  return (claim) =>
    isPrimitive(claim) ? primitives.has(claim) : composites.some((entry) => jsonEquals(entry, claim));
}

function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}
