/** Conversion between JSON-Logic and queries. */
import { type JsonValue, parse } from '../engine/index.js';
import { pointerTo } from '../engine/problems.js';
import type { Check, PolicyItem } from '../engine/query/query.js';
import { foldItem } from '../engine/query/query.js';
import {
  allOf,
  anyOf,
  type Conversion,
  type ConversionOptions,
  Converter,
  isUndefined,
  type MappedClaim,
  not,
  onlyMember,
} from './conversion.js';

type Ordering = '>' | '>=' | '<' | '<=';

const MIRRORED: Readonly<Record<Ordering, Ordering>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/**
 * Converts a JSON-Logic rule to a query with the same verdict on all claims of the given types, defined or not.
 *
 * A variable without a value is null in JSON-Logic, and less than 18. The query then has a check for that.
 *
 * @param logic - The rule, as parsed JSON.
 * @throws {TypeError | RangeError} When the option `claims` is no map of claims.
 * @example
 * fromJsonLogic({ '>=': [{ var: 'age' }, 18] }, { claims: { age: { claim: 'identity.age', type: 'number' } } });
 */
export function fromJsonLogic(logic: unknown, options: ConversionOptions): Conversion<PolicyItem> {
  const converter = new Converter(options);
  return converter.result(readCondition(logic, '', converter));
}

function readCondition(logic: unknown, pointer: string, converter: Converter): PolicyItem | undefined {
  const [operator, operand] = onlyMember(logic) ?? [];
  if (operator === undefined)
    return converter.fail('not_supported', pointer, 'A condition must be an object with one operator.');
  const place = pointerTo(pointer, operator);
  switch (operator) {
    case 'and':
    case 'or': {
      const items = converter.all(operand, place, (part, at) => readCondition(part, at, converter));
      return items && (operator === 'and' ? allOf(items) : anyOf(items));
    }
    case '!':
    case '!!': {
      const [inner, innerPlace] = only(operand, place);
      const item = readCondition(inner, innerPlace, converter);
      return item && (operator === '!' ? not(item) : item);
    }
    case 'var': {
      const mapped = readVariable(logic, pointer, converter);
      if (mapped === undefined) return undefined;
      if (mapped.type === 'boolean') return converter.equals(mapped, true, place);
      return converter.fail('type', place, 'A variable that is a condition must be of type boolean.');
    }
    case '==':
    case '===':
      return readEquality(operator, operand, place, converter);
    case '!=':
    case '!==': {
      const item = readEquality(operator, operand, place, converter);
      return item && not(item);
    }
    case '>':
    case '>=':
    case '<':
    case '<=':
      return readOrder(operator, operand, place, converter);
    case 'in': {
      const [left, right, ...more] = Array.isArray(operand) ? (operand as readonly unknown[]) : [];
      if (!isVariable(left) || more.length > 0)
        return converter.fail('not_supported', place, '`in` must have a variable and an array of literals.');
      const mapped = readVariable(left, pointerTo(place, 0), converter);
      return mapped && converter.isAmong(mapped, right, pointerTo(place, 1));
    }
    default:
      return converter.fail('not_supported', place, 'The operator has no equivalent.');
  }
}

/** JSON-Logic takes one argument with or without an array. */
function only(operand: unknown, pointer: string): readonly [unknown, string] {
  return Array.isArray(operand) && operand.length === 1
    ? [operand[0], pointerTo(pointer, 0)]
    : [operand, pointer];
}

function isVariable(value: unknown): boolean {
  return onlyMember(value)?.[0] === 'var';
}

function readVariable(value: unknown, pointer: string, converter: Converter): MappedClaim | undefined {
  const place = pointerTo(pointer, 'var');
  const [name, namePlace] = only(onlyMember(value)?.[1], place);
  if (Array.isArray(name))
    return converter.fail('not_supported', place, 'A variable with a default value has no equivalent.');
  return converter.claimOf(name, namePlace);
}

/** A comparison of one variable and one literal. */
interface Comparison {
  readonly mapped: MappedClaim;
  readonly literal: unknown;
  readonly literalPlace: string;
  readonly isMirrored: boolean;
}

function readComparison(operand: unknown, pointer: string, converter: Converter): Comparison | undefined {
  const operands: readonly unknown[] = Array.isArray(operand) ? operand : [];
  const position = operands.findIndex(isVariable);
  const literal = operands[1 - position];
  if (operands.length !== 2 || position < 0 || isVariable(literal))
    return converter.fail('not_supported', pointer, 'A comparison must have one variable and one literal.');
  const mapped = readVariable(operands[position], pointerTo(pointer, position), converter);
  const literalPlace = pointerTo(pointer, 1 - position);
  return mapped && { mapped, literal, literalPlace, isMirrored: position === 1 };
}

function readEquality(
  operator: '==' | '===' | '!=' | '!==',
  operand: unknown,
  pointer: string,
  converter: Converter,
): PolicyItem | undefined {
  const comparison = readComparison(operand, pointer, converter);
  if (comparison === undefined) return undefined;
  const { mapped, literal, literalPlace } = comparison;
  const isLoose = operator === '==' || operator === '!=';
  if (literal === null) {
    if (!isLoose) return isUndefined(mapped);
    const message =
      'Implementations differ on whether a loose comparison with null holds for 0, false and empty strings; use `===`.';
    return converter.fail('not_supported', literalPlace, message);
  }
  if (isLoose && (literal === 0 || literal === '' || literal === false)) {
    const message =
      'Implementations differ on whether an undefined variable loosely equals 0, false or an empty string; use `===`.';
    return converter.fail('not_supported', literalPlace, message);
  }
  return converter.equals(mapped, literal, literalPlace);
}

function readOrder(
  operator: Ordering,
  operand: unknown,
  pointer: string,
  converter: Converter,
): PolicyItem | undefined {
  if (Array.isArray(operand) && operand.length === 3 && operator.startsWith('<')) {
    const [low, middle, high] = operand as readonly unknown[];
    if (isVariable(middle) && !isVariable(low) && !isVariable(high)) {
      const mapped = readVariable(middle, pointerTo(pointer, 1), converter);
      const from = mapped && toOrder(mapped, MIRRORED[operator], low, pointerTo(pointer, 0), converter);
      const to = mapped && toOrder(mapped, operator, high, pointerTo(pointer, 2), converter);
      return from && to && allOf([from, to]);
    }
  }
  const comparison = readComparison(operand, pointer, converter);
  if (comparison === undefined) return undefined;
  const { mapped, literal, literalPlace, isMirrored } = comparison;
  return toOrder(mapped, isMirrored ? MIRRORED[operator] : operator, literal, literalPlace, converter);
}

function toOrder(
  mapped: MappedClaim,
  operator: Ordering,
  literal: unknown,
  pointer: string,
  converter: Converter,
): PolicyItem | undefined {
  return converter.orders(mapped, operator, literal, holdsForZero(operator, literal), pointer);
}

/** A variable without a value is null, which is compared as 0. */
function holdsForZero(operator: Ordering, literal: unknown): boolean {
  if (typeof literal !== 'number') return false;
  switch (operator) {
    case '>':
      return 0 > literal;
    case '>=':
      return 0 >= literal;
    case '<':
      return 0 < literal;
    case '<=':
      return 0 <= literal;
  }
}

/**
 * Converts a check or a policy to a JSON-Logic rule with the same verdict on all claims of the given types, defined
 * or not. The rule uses strict comparisons only.
 *
 * @param query - Raw JSON, or a query returned by `parse`. Patterns, prefixes, `contains` and dates have no equivalent.
 * @throws {QueryError} As `parse` does.
 * @throws {TypeError | RangeError} When the option `claims` is no map of claims.
 */
export function toJsonLogic(query: unknown, options: ConversionOptions): Conversion<JsonValue> {
  const converter = new Converter(options);
  const parsed = parse(query);
  if ('projections' in parsed) {
    converter.fail('not_supported', '/projections', 'Projections have no equivalent.');
    return converter.result<JsonValue>(undefined);
  }
  const join = (operator: string) => (parts: readonly (JsonValue | undefined)[]) =>
    parts.includes(undefined) ? undefined : ({ [operator]: parts } as JsonValue);
  const logic = foldItem<JsonValue | undefined>(parsed, {
    check: (check, isNegated, pointer) => {
      const written = writeCheck(check, `${pointer}/check`, converter);
      return written !== undefined && isNegated ? { '!': [written] } : written;
    },
    all: join('and'),
    any: join('or'),
  });
  return converter.result(logic);
}

function writeCheck({ claim, operator, value = null }: Check, pointer: string, converter: Converter) {
  const mapped = converter.nameOf(claim, `${pointer}/claim`);
  if (mapped === undefined) return undefined;
  const variable = { var: mapped.name };
  const isPresent = { '!==': [variable, null] };
  const place = `${pointer}/value`;
  switch (operator) {
    case '==':
      return converter.equals(mapped, value, place) && { '===': [variable, value] };
    case '!=':
      return converter.equals(mapped, value, place) && { and: [isPresent, { '!==': [variable, value] }] };
    case 'in':
      return converter.isAmong(mapped, value, place) && { in: [variable, value] };
    case 'notIn':
      return (
        converter.isAmong(mapped, value, place) && { and: [isPresent, { '!': [{ in: [variable, value] }] }] }
      );
    case '>':
    case '>=':
    case '<':
    case '<=':
      return (
        converter.orders(mapped, operator, value, false, place) && {
          and: [isPresent, { [operator]: [variable, value] }],
        }
      );
    case 'isDefined':
      return isPresent;
    case 'contains':
    case 'startsWith':
    case 'matchRegex':
      return converter.fail('not_supported', `${pointer}/operator`, 'The operator has no equivalent.');
  }
}
