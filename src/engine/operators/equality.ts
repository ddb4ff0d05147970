/** `==` and `!=`: JSON equality (L16). */
import { type JsonPrimitive, type JsonValue, jsonEquals } from '../claims/json-value.js';
import { type Continuation, join, type OperatorDefinition, type Predicate } from './operator.js';

export const equals: OperatorDefinition<JsonValue> = {
  operand: 'any',
  cost: costOfEquality,
  compile: (operand, slot, then) => {
    if (typeof operand === 'string') return equalsText(operand, slot, then);
    if (typeof operand === 'number') return equalsNumber(operand, slot, then);
    if (operand === true) return isTrue(slot, then);
    if (operand === false) return isFalse(slot, then);
    const equal: Predicate = (claims) => {
      const claim = claims[slot];
      return claim !== undefined && jsonEquals(claim, operand);
    };
    return join(equal, then);
  },
};

export const notEquals: OperatorDefinition<JsonValue> = {
  operand: 'any',
  cost: costOfEquality,
  compile: (operand, slot, then) => {
    if (typeof operand === 'string') return differsFromText(operand, slot, then);
    if (typeof operand !== 'object' || operand === null) return differsFromPrimitive(operand, slot, then);
    const differs: Predicate = (claims) => {
      const claim = claims[slot];
      return claim !== undefined && !jsonEquals(claim, operand);
    };
    return join(differs, then);
  },
};

function costOfEquality(operand: JsonValue): number {
  return typeof operand === 'object' && operand !== null ? 20 : 1;
}

// Values of one type compare faster than values of any: the type is asked for first. Numbers compare by value, where −0 and 0 are one.

function equalsText(operand: string, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && claim === operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && claim === operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' && claim === operand) || next(claims);
      };
  }
}

function equalsNumber(operand: number, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim === operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim === operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'number' && claim === operand) || next(claims);
      };
  }
}

function isTrue(slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => claims[slot] === true;
    case 'and':
      return (claims) => claims[slot] === true && next(claims);
    case 'or':
      return (claims) => claims[slot] === true || next(claims);
  }
}

function isFalse(slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => claims[slot] === false;
    case 'and':
      return (claims) => claims[slot] === false && next(claims);
    case 'or':
      return (claims) => claims[slot] === false || next(claims);
  }
}

// What is of another type differs; what is not defined does not (L14).

function differsFromText(operand: string, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' ? claim !== operand : claim !== undefined;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' ? claim !== operand : claim !== undefined) && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' ? claim !== operand : claim !== undefined) || next(claims);
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
        const claim = claims[slot];
        return claim !== undefined && claim !== operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return claim !== undefined && claim !== operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (claim !== undefined && claim !== operand) || next(claims);
      };
  }
}
