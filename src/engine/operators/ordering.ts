/** `>`, `>=`, `<` and `<=`: numbers by value, dates by instant (L17). */
import { parseInstant } from '../claims/instant.js';
import type { JsonValue } from '../claims/json-value.js';
import { type Continuation, join, type OperatorDefinition, type Predicate } from './operator.js';

type Ordering = OperatorDefinition<number | string>;

export const greater: Ordering = ordering(
  above,
  (instant, slot) => (claims) => instantOf(claims[slot]) > instant,
);

export const greaterOrEqual: Ordering = ordering(
  atLeast,
  (instant, slot) => (claims) => instantOf(claims[slot]) >= instant,
);

export const less: Ordering = ordering(
  below,
  (instant, slot) => (claims) => instantOf(claims[slot]) < instant,
);

export const lessOrEqual: Ordering = ordering(
  atMost,
  (instant, slot) => (claims) => instantOf(claims[slot]) <= instant,
);

function ordering(
  ofNumbers: (operand: number, slot: number, then: Continuation) => Predicate,
  ofInstants: (operand: number, slot: number) => Predicate,
): Ordering {
  return {
    operand: 'number-or-date',
    cost: costOfOrdering,
    compile: (operand, slot, then) =>
      typeof operand === 'number'
        ? ofNumbers(operand, slot, then)
        : join(ofInstants(instantOf(operand), slot), then),
  };
}

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
