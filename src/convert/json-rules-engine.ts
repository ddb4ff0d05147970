/** Converts rules of json-rules-engine, and their conditions, to queries. */
import { joinNames, quote } from '../engine/names.js';
import { pointerTo } from '../engine/problems.js';
import type { PolicyItem } from '../engine/query/query.js';
import { describeType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import {
  allOf,
  anyOf,
  type Conversion,
  type ConversionOptions,
  Converter,
  isDefined,
  not,
} from './conversion.js';

const ORDERINGS = {
  lessThan: '<',
  lessThanInclusive: '<=',
  greaterThan: '>',
  greaterThanInclusive: '>=',
} as const;

const OPERATORS = [
  'equal',
  'notEqual',
  'in',
  'notIn',
  'contains',
  'doesNotContain',
  ...Object.keys(ORDERINGS),
];

/**
 * Converts a rule of json-rules-engine, or its conditions, to a query that passes where the rule succeeds in an
 * engine with `allowUndefinedFacts`. The event is not part of the query, nor are priorities and names.
 *
 * @param rule - A rule with `conditions`, or these alone, as parsed JSON.
 * @throws {TypeError | RangeError} When the option `claims` is not a map of claims.
 */
export function fromJsonRulesEngine(rule: unknown, options: ConversionOptions): Conversion<PolicyItem> {
  const converter = new Converter(options);
  const isRule = isPlainObject(rule) && 'conditions' in rule;
  const [conditions, pointer] = isRule ? [rule['conditions'], '/conditions'] : [rule, ''];
  return converter.result(readCondition(conditions, pointer, converter));
}

/** Members of a condition that do not change its result. */
const IGNORED = ['name', 'priority'];

function readCondition(condition: unknown, pointer: string, converter: Converter): PolicyItem | undefined {
  return converter.nested(pointer, () => readMembers(condition, pointer, converter));
}

function readMembers(condition: unknown, pointer: string, converter: Converter): PolicyItem | undefined {
  if (!isPlainObject(condition))
    return converter.fail(
      'not_supported',
      pointer,
      `A condition must be an object (got ${describeType(condition)}).`,
    );
  const names = Object.keys(condition).filter((name) => !IGNORED.includes(name));
  const [kind = ''] = names;
  const place = pointerTo(pointer, kind);
  if (names.length === 1 && (kind === 'all' || kind === 'any')) {
    const items = converter.all(condition[kind], place, (part, at) => readCondition(part, at, converter));
    return items && (kind === 'all' ? allOf(items) : anyOf(items));
  }
  if (names.length === 1 && kind === 'not') {
    const item = readCondition(condition['not'], place, converter);
    return item && not(item);
  }
  const unknown = names.find((name) => !['fact', 'operator', 'value'].includes(name));
  if (unknown !== undefined)
    return converter.fail(
      'not_supported',
      pointerTo(pointer, unknown),
      `${quote(unknown)} of a condition has no equivalent.`,
    );
  return readComparison(condition, pointer, converter);
}

function readComparison(
  { fact, operator, value }: Readonly<Record<string, unknown>>,
  pointer: string,
  converter: Converter,
): PolicyItem | undefined {
  const mapped = converter.claimOf(fact, pointerTo(pointer, 'fact'));
  if (mapped === undefined) return undefined;
  const place = pointerTo(pointer, 'value');
  switch (operator) {
    case 'equal':
      return converter.equals(mapped, value, place);
    case 'notEqual': {
      const item = converter.equals(mapped, value, place);
      return item && not(item);
    }
    case 'in':
      return converter.isAmong(mapped, value, place);
    case 'notIn': {
      const item = converter.isAmong(mapped, value, place);
      return item && not(item);
    }
    case 'contains':
      return converter.contains(mapped, value, place);
    case 'doesNotContain': {
      // An undefined fact is not an array, so the operator fails.
      const item = converter.contains(mapped, value, place);
      return item && allOf([isDefined(mapped), not(item)]);
    }
    case 'lessThan':
    case 'lessThanInclusive':
    case 'greaterThan':
    case 'greaterThanInclusive':
      // An undefined fact is not a number, so every comparison fails.
      return converter.orders(mapped, ORDERINGS[operator], value, false, place);
    default:
      return converter.fail(
        'not_supported',
        pointerTo(pointer, 'operator'),
        typeof operator === 'string'
          ? `${quote(operator)} has no equivalent. Supported are ${joinNames(OPERATORS, 'and')}.`
          : `\`operator\` must be a string (got ${describeType(operator)}).`,
      );
  }
}
