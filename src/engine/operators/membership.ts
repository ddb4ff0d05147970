/** `in`, `notIn` and `contains`: JSON equality over lists (L16, L18). */
import {
  isJsonArray,
  type JsonArray,
  type JsonPrimitive,
  type JsonValue,
  jsonEquals,
} from '../claims/json-value.js';
import { type Continuation, join, type OperatorDefinition, type Predicate } from './operator.js';
import { TextSet } from './text-set.js';

/** A list's primitives as a set; no operand holds an undefined value, so no undefined claim is in it. */
type Primitives = ReadonlySet<JsonValue | undefined>;

export const isIn: OperatorDefinition<JsonArray> = {
  operand: 'array',
  cost: costOfMembership,
  compile: (list, slot, then) => {
    if (isTexts(list)) {
      const [first, second = first, third = first] = list;
      // Few texts are compared faster than they are looked up; a list of one or two names its first again.
      return list.length <= 3
        ? amongThreeTexts([first, second, third], slot, then)
        : amongTexts(new TextSet(list), slot, then);
    }
    const { primitives, composites } = split(list);
    if (composites.length === 0) return among(primitives, slot, then);
    return join((claims) => isMember(claims[slot], primitives, composites), then);
  },
};

export const notIn: OperatorDefinition<JsonArray> = {
  operand: 'array',
  cost: costOfMembership,
  compile: (list, slot, then) => {
    if (isTexts(list)) return notAmongTexts(new TextSet(list), slot, then);
    const { primitives, composites } = split(list);
    if (composites.length === 0) return notAmong(primitives, slot, then);
    const differs: Predicate = (claims) => {
      const claim = claims[slot];
      return claim !== undefined && !isMember(claim, primitives, composites);
    };
    return join(differs, then);
  },
};

export const contains: OperatorDefinition<JsonValue> = {
  operand: 'any',
  cost: () => 10,
  compile: (operand, slot, then) => {
    if (isPrimitive(operand)) {
      const has: Predicate = (claims) => {
        const claim = claims[slot];
        return Array.isArray(claim) && claim.includes(operand);
      };
      return join(has, then);
    }
    const hasEqual: Predicate = (claims) => {
      const claim = claims[slot];
      return (
        claim !== undefined && isJsonArray(claim) && claim.some((element) => jsonEquals(element, operand))
      );
    };
    return join(hasEqual, then);
  },
};

function costOfMembership(list: JsonArray): number {
  return list.length <= 3 ? 2 : 4;
}

function amongThreeTexts(
  [first, second, third]: readonly [string, string, string],
  slot: number,
  { joint, next }: Continuation,
): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && (claim === first || claim === second || claim === third);
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return (
          typeof claim === 'string' &&
          (claim === first || claim === second || claim === third) &&
          next(claims)
        );
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (
          (typeof claim === 'string' && (claim === first || claim === second || claim === third)) ||
          next(claims)
        );
      };
  }
}

function amongTexts(list: TextSet, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && list.has(claim);
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' && list.has(claim) && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' && list.has(claim)) || next(claims);
      };
  }
}

function notAmongTexts(list: TextSet, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'string' ? !list.has(claim) : claim !== undefined;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' ? !list.has(claim) : claim !== undefined) && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'string' ? !list.has(claim) : claim !== undefined) || next(claims);
      };
  }
}

function among(list: Primitives, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => list.has(claims[slot]);
    case 'and':
      return (claims) => list.has(claims[slot]) && next(claims);
    case 'or':
      return (claims) => list.has(claims[slot]) || next(claims);
  }
}

function notAmong(list: Primitives, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return claim !== undefined && !list.has(claim);
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return claim !== undefined && !list.has(claim) && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (claim !== undefined && !list.has(claim)) || next(claims);
      };
  }
}

/** Whether a list holds texts, and nothing else. */
function isTexts(list: JsonArray): list is readonly [string, ...string[]] {
  return list.length > 0 && list.every(isText);
}

function split(list: JsonArray): { readonly primitives: Primitives; readonly composites: JsonArray } {
  return {
    primitives: new Set<JsonValue | undefined>(list.filter(isPrimitive)),
    composites: list.filter((entry) => !isPrimitive(entry)),
  };
}

function isMember(claim: JsonValue | undefined, primitives: Primitives, composites: JsonArray): boolean {
  if (claim === undefined || isPrimitive(claim)) return primitives.has(claim);
  return composites.some((entry) => jsonEquals(entry, claim));
}

function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}
