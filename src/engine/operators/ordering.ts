/** `>`, `>=`, `<` and `<=`: numbers by value, dates by instant (L17). */
import { parseInstant } from '../claims/instant.js';
import type { JsonValue } from '../claims/json-value.js';
import { type Continuation, join, type OperatorDefinition, type Predicate } from './operator.js';

type Ordering = OperatorDefinition<number | string>;

export const greater: Ordering = {
  name: '>',
  operand: 'number-or-date',
  cost: costOfOrdering,
  compile: (operand, slot, then) => {
    if (typeof operand === 'number') return above(operand, slot, then);
    const instant = instantOf(operand);
    return join((claims) => instantOf(claims[slot]) > instant, then);
  },
};

export const greaterOrEqual: Ordering = {
  name: '>=',
  operand: 'number-or-date',
  cost: costOfOrdering,
  compile: (operand, slot, then) => {
    if (typeof operand === 'number') return atLeast(operand, slot, then);
    const instant = instantOf(operand);
    return join((claims) => instantOf(claims[slot]) >= instant, then);
  },
};

export const less: Ordering = {
  name: '<',
  operand: 'number-or-date',
  cost: costOfOrdering,
  compile: (operand, slot, then) => {
    if (typeof operand === 'number') return below(operand, slot, then);
    const instant = instantOf(operand);
    return join((claims) => instantOf(claims[slot]) < instant, then);
  },
};

export const lessOrEqual: Ordering = {
  name: '<=',
  operand: 'number-or-date',
  cost: costOfOrdering,
  compile: (operand, slot, then) => {
    if (typeof operand === 'number') return atMost(operand, slot, then);
    const instant = instantOf(operand);
    return join((claims) => instantOf(claims[slot]) <= instant, then);
  },
};

/** A date has to be read from its text each time. */
function costOfOrdering(operand: number | string): number {
  return typeof operand === 'number' ? 1 : 20;
}

function above(operand: number, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim > operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim > operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'number' && claim > operand) || next(claims);
      };
  }
}

function atLeast(operand: number, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim >= operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim >= operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'number' && claim >= operand) || next(claims);
      };
  }
}

function below(operand: number, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim < operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim < operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'number' && claim < operand) || next(claims);
      };
  }
}

function atMost(operand: number, slot: number, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim <= operand;
      };
    case 'and':
      return (claims) => {
        const claim = claims[slot];
        return typeof claim === 'number' && claim <= operand && next(claims);
      };
    case 'or':
      return (claims) => {
        const claim = claims[slot];
        return (typeof claim === 'number' && claim <= operand) || next(claims);
      };
  }
}

/** Epoch milliseconds; NaN, which is above and below nothing, for what is no date. */
function instantOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) : Number.NaN;
}
