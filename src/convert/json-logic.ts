/** Conversion between JSON-Logic and queries. */
import { type JsonValue, parse } from '../engine/index.js';
import { joinNames, quote, suggestion } from '../engine/names.js';
import { pointerTo } from '../engine/problems.js';
import type { Check, PolicyItem } from '../engine/query/query.js';
import { foldItem } from '../engine/query/query.js';
import { describeType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import {
  allOf,
  anyOf,
  type Conversion,
  type ConversionOptions,
  Converter,
  describeOperand,
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
 * In JSON-Logic, a variable without a value is null, which is compared as 0 and so is less than 18. A comparison that holds
 * for 0 therefore becomes a query that undefined claims also pass.
 *
 * @param logic - The rule, as parsed JSON.
 * @throws {TypeError | RangeError} When the option `claims` is not a map of claims.
 * @example
 * fromJsonLogic({ '>=': [{ var: 'age' }, 18] }, { claims: { age: { claim: 'identity.age', type: 'number' } } });
 */
export function fromJsonLogic(logic: unknown, options: ConversionOptions): Conversion<PolicyItem> {
  const converter = new Converter(options);
  return converter.result(readCondition(logic, '', converter));
}

function readCondition(logic: unknown, pointer: string, converter: Converter): PolicyItem | undefined {
  return converter.nested(pointer, () => readOperation(logic, pointer, converter));
}

function readOperation(logic: unknown, pointer: string, converter: Converter): PolicyItem | undefined {
  const [operator, operand] = onlyMember(logic) ?? [];
  if (operator === undefined)
    return converter.fail(
      'not_supported',
      pointer,
      `A condition must be an object with one operator ${describeNoCondition(logic, pointer)}`,
    );
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
      const message = `A variable that is a condition must be of type \`boolean\`, not \`${mapped.type}\`. Compare it with a literal.`;
      return converter.fail('type', place, message);
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
    case 'in':
      return readMembership(operand, place, converter);
    default:
      return converter.fail(
        'not_supported',
        place,
        `${quote(operator)} has no equivalent. ${hintFor(operator)}`,
      );
  }
}

/** Describes a value that is not a condition, and how to correct it. */
function describeNoCondition(logic: unknown, pointer: string): string {
  if (isPlainObject(logic)) {
    const names = Object.keys(logic);
    return names.length === 0
      ? '(got an empty object).'
      : `(got ${names.length}: ${joinNames(names, 'and')}). Join them with \`and\`, as one condition each.`;
  }
  const isString = typeof logic === 'string' && pointer === '';
  return `(got ${describeType(logic)}).${isString ? ' Parse the text with `JSON.parse`.' : ''}`;
}

const COMPUTED = 'Compute the value beforehand, and pass it as a claim.';
const ARRAYS =
  'Of arrays, queries test only whether they have an element: use `in` with a literal and a variable.';
const PRESENCE = 'Compare each variable with null: `{ "===": [{ "var": … }, null] }`.';

/** How to rewrite operators of JSON-Logic that have no equivalent. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['if', 'Rewrite it with `and`, `or` and `!`.'],
  ['?:', 'Rewrite it with `and`, `or` and `!`.'],
  ...['+', '-', '*', '/', '%', 'min', 'max', 'cat', 'substr'].map((name) => [name, COMPUTED] as const),
  ...['some', 'all', 'none', 'map', 'filter', 'reduce', 'merge'].map((name) => [name, ARRAYS] as const),
  ['missing', PRESENCE],
  ['missing_some', PRESENCE],
]);

const OPERATORS = ['and', 'or', '!', '!!', 'var', '==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in'];

function hintFor(operator: string): string {
  return (
    HINTS.get(operator) ??
    (suggestion(operator, OPERATORS).trim() || `Supported are ${joinNames(OPERATORS, 'and')}.`)
  );
}

/** Converts `in` with a variable and an array of literals, or with a literal and a variable that is an array. */
function readMembership(operand: unknown, place: string, converter: Converter): PolicyItem | undefined {
  const [element, list, ...more] = Array.isArray(operand) ? (operand as readonly unknown[]) : [];
  const [first, second] = [pointerTo(place, 0), pointerTo(place, 1)];
  if (more.length > 0 || isVariable(element) === isVariable(list)) {
    const message = '`in` must have one variable and one literal: queries do not compare two claims.';
    return converter.fail('not_supported', place, message);
  }
  if (isVariable(element)) {
    const mapped = readVariable(element, first, converter);
    return mapped && converter.isAmong(mapped, list, second);
  }
  const mapped = readVariable(list, second, converter);
  if (mapped?.type === 'string' || mapped?.type === 'enum') {
    const message =
      'A search for a substring has no equivalent. If the values are arrays, the type of the variable must be `array`; otherwise use `matchRegex` in the query.';
    return converter.fail('not_supported', place, message);
  }
  return mapped && converter.contains(mapped, element, first);
}

/** Returns the single argument of an operator, which may be in an array, and its pointer. */
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
    return converter.fail(
      'not_supported',
      place,
      'A default value has no equivalent. Remove it, and state with `or` what applies where the variable is null.',
    );
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
  if (operands.length !== 2 || position < 0 || isVariable(literal) || onlyMember(literal) !== undefined)
    return converter.fail('not_supported', pointer, comparisonFault(operands));
  const mapped = readVariable(operands[position], pointerTo(pointer, position), converter);
  const literalPlace = pointerTo(pointer, 1 - position);
  return mapped && { mapped, literal, literalPlace, isMirrored: position === 1 };
}

function comparisonFault(operands: readonly unknown[]): string {
  const required = 'A comparison must have one variable and one literal';
  if (operands.length !== 2) return `${required} (got ${operands.length} operands).`;
  if (operands.every(isVariable))
    return `${required} (got two variables). Compare them beforehand, and pass the result as a claim of type \`boolean\`.`;
  const computed = operands.find((one) => !isVariable(one) && onlyMember(one) !== undefined);
  if (computed !== undefined) return `${required} (got ${describeOperand(computed)}). ${COMPUTED}`;
  return `${required} (got two literals). Remove it: its result is the same for everyone.`;
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

/** Returns whether a comparison holds for 0: a variable without a value is null, which is compared as 0. */
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
 * @param query - Raw JSON, or a query returned by `parse`. Patterns, prefixes and orders of date-times have no equivalent.
 * @throws {QueryError} As `parse` does.
 * @throws {TypeError | RangeError} When the option `claims` is not a map of claims.
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
      return converter.contains(mapped, value, place) && { in: [value, variable] };
    case 'startsWith':
    case 'matchRegex':
      return converter.fail(
        'not_supported',
        `${pointer}/operator`,
        `${quote(operator)} has no equivalent in JSON-Logic.`,
      );
  }
}
