/**
 * The twelve operators: operand types, costs and value tests (L14–L18). Parsing, the JSON Schema and compiled checks use this table. Fused checks,
 * bulk evaluation, generated modules, SQL and policy sets have other forms of the tests, with the same outcomes.
 */
import { parseInstant } from '../claims/instant.js';
import {
  isJsonArray,
  isPrimitive,
  type JsonArray,
  type JsonValue,
  jsonEquals,
} from '../claims/json-value.js';
import type { CompiledPattern } from '../regex-engine.js';

/** The names, in the order of the documentation. */
export const OPERATOR_NAMES = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'in',
  'notIn',
  'contains',
  'startsWith',
  'matchRegex',
  'isDefined',
] as const;

export type OperatorName = (typeof OPERATOR_NAMES)[number];

/** The type of an operand, which parsing checks. */
export type OperandKind = 'none' | 'any' | 'string' | 'array' | 'number-or-date' | 'pattern';

/** A parsed operand. Patterns are compiled. */
export type Operand = JsonValue | CompiledPattern | undefined;

/** Tests the value of a defined claim. Never throws. A check of an undefined claim fails without a test (L14). */
export type ValueTest = (value: JsonValue) => boolean;

export interface Operator<Accepted extends Operand = never> {
  readonly operand: OperandKind;
  /** Returns the approximate time of a test, in comparisons of two numbers. Of several checks, the cheapest runs first. */
  cost(operand: Accepted): number;
  /** Creates the test. Prepares the operand once. */
  test(operand: Accepted): ValueTest;
}

/** A value of a type that the operator does not support fails (L15). */
export const OPERATORS: Readonly<Record<OperatorName, Operator>> = Object.freeze({
  '==': equality((operand) => (value) => jsonEquals(value, operand)),
  '!=': equality((operand) => (value) => !jsonEquals(value, operand)),
  '>': ordering((value, operand) => value > operand),
  '>=': ordering((value, operand) => value >= operand),
  '<': ordering((value, operand) => value < operand),
  '<=': ordering((value, operand) => value <= operand),
  in: membership((isMember) => isMember),
  notIn: membership((isMember) => (value) => !isMember(value)),
  contains: {
    operand: 'any',
    cost: () => 10,
    test: (operand: JsonValue) => (value) =>
      isJsonArray(value) && value.some((element) => jsonEquals(element, operand)),
  },
  startsWith: {
    operand: 'string',
    cost: () => 4,
    test: (prefix: string) => (value) => typeof value === 'string' && value.startsWith(prefix),
  },
  matchRegex: {
    operand: 'pattern',
    cost: ({ programSize }: CompiledPattern) => 10 + programSize,
    test: (pattern: CompiledPattern) => (value) => typeof value === 'string' && pattern.test(value),
  },
  isDefined: { operand: 'none', cost: () => 1, test: () => () => true },
});

/** Creates an operator that compares by JSON equality (L16). */
function equality(test: (operand: JsonValue) => ValueTest): Operator<JsonValue> {
  return { operand: 'any', cost: (operand) => (isPrimitive(operand) ? 1 : 20), test };
}

/** Creates an operator that compares numbers by value, and dates by instant (L17). */
function ordering(holds: (value: number, operand: number) => boolean): Operator<number | string> {
  return {
    operand: 'number-or-date',
    // Each test parses the date of the claim.
    cost: (operand) => (typeof operand === 'number' ? 1 : 20),
    test: (operand) => {
      if (typeof operand === 'number') return (value) => typeof value === 'number' && holds(value, operand);
      const instant = toInstant(operand);
      return (value) => holds(toInstant(value), instant);
    },
  };
}

/** Creates an operator that searches a list for an element that equals the claim (L16, L18). */
function membership(toTest: (isMember: ValueTest) => ValueTest): Operator<JsonArray> {
  return {
    operand: 'array',
    cost: (list) => (list.length <= 3 ? 2 : 4),
    test: (list) => {
      // Created by the first test: many compiled queries run only a few times, and often other checks decide.
      let primitives: ReadonlySet<JsonValue> | undefined;
      return toTest((value) => {
        if (!isPrimitive(value)) return list.some((element) => jsonEquals(element, value));
        primitives ??= new Set(list.filter(isPrimitive));
        return primitives.has(value);
      });
    },
  };
}

/** Returns epoch milliseconds; NaN, with which every comparison is false, for a value that is not a date. */
function toInstant(value: JsonValue): number {
  return typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) : Number.NaN;
}
