/** `in`, `notIn` and `contains`: JSON equality over lists (L16, L18). */
import {
  isJsonArray,
  type JsonArray,
  type JsonPrimitive,
  type JsonValue,
  jsonEquals,
} from '../claims/json-value.js';
import { equalTo } from './equality.js';
import type { OperatorDefinition, ValueTest } from './operator.js';

export const isIn: OperatorDefinition<JsonArray> = {
  name: 'in',
  operand: 'array',
  compile: memberOf,
};

export const notIn: OperatorDefinition<JsonArray> = {
  name: 'notIn',
  operand: 'array',
  compile: (list) => {
    const member = memberOf(list);
    return (claim) => !member(claim);
  },
};

export const contains: OperatorDefinition<JsonValue> = {
  name: 'contains',
  operand: 'any',
  compile: (operand) => {
    const equal = equalTo(operand);
    return (claim) => isJsonArray(claim) && claim.some(equal);
  },
};

function memberOf(list: JsonArray): ValueTest {
  const primitives = new Set<JsonValue>(list.filter(isPrimitive));
  const composites = list.filter((entry) => !isPrimitive(entry));
  return (claim) =>
    isPrimitive(claim) ? primitives.has(claim) : composites.some((entry) => jsonEquals(entry, claim));
}

function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}
