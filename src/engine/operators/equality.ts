/** `==` and `!=`: JSON equality (L16). */
import { type JsonPrimitive, type JsonValue, jsonEquals } from '../claims/json-value.js';
import { type Continuation, join, type OperatorDefinition, type Predicate } from './operator.js';

export const equals: OperatorDefinition<JsonValue> = {
  name: '==',
  operand: 'any',
  compile: (operand, slot, then) => {
    if (typeof operand === 'string') return equalsText(operand, slot, then);
    if (typeof operand !== 'object' || operand === null) return equalsPrimitive(operand, slot, then);
    const equal: Predicate = (claims) => {
      const claim = claims.values[slot];
      return claim !== undefined && jsonEquals(claim, operand);
    };
    return join(equal, then);
  },
};

export const notEquals: OperatorDefinition<JsonValue> = {
  name: '!=',
  operand: 'any',
  compile: (operand, slot, then) => {
    if (typeof operand === 'string') return differsFromText(operand, slot, then);
    if (typeof operand !== 'object' || operand === null) return differsFromPrimitive(operand, slot, then);
    const differs: Predicate = (claims) => {
      const claim = claims.values[slot];
      return claim !== undefined && !jsonEquals(claim, operand);
    };
    return join(differs, then);
  },
};

// Primitives compare by identity, where −0 and 0 are one; no operand is undefined, so an undefined claim equals none.

function equalsText(operand: string, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => claims.values[slot] === operand;
    case 'and':
      return (claims) => claims.values[slot] === operand && next(claims);
    case 'or':
      return (claims) => claims.values[slot] === operand || next(claims);
  }
}

function equalsPrimitive(operand: JsonPrimitive, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => claims.values[slot] === operand;
    case 'and':
      return (claims) => claims.values[slot] === operand && next(claims);
    case 'or':
      return (claims) => claims.values[slot] === operand || next(claims);
  }
}

function differsFromText(operand: string, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims.values[slot];
        return claim !== undefined && claim !== operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims.values[slot];
        return claim !== undefined && claim !== operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims.values[slot];
        return (claim !== undefined && claim !== operand) || next(claims);
      };
  }
}

function differsFromPrimitive(
  operand: JsonPrimitive,
  slot: number,
  { joint, next }: Continuation,
): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims.values[slot];
        return claim !== undefined && claim !== operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims.values[slot];
        return claim !== undefined && claim !== operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims.values[slot];
        return (claim !== undefined && claim !== operand) || next(claims);
      };
  }
}
