/** Conversion of CASL rules to queries. */
import { joinNames, quote } from '../engine/names.js';
import { pointerTo } from '../engine/problems.js';
import { combinationOf, type PolicyItem } from '../engine/query/query.js';
import { describeType, wrongType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import {
  allOf,
  anyOf,
  type Conversion,
  type ConversionOptions,
  Converter,
  isDefined,
  isUndefined,
  type MappedClaim,
  not,
} from './conversion.js';

/** The objects that the rules so far allow: none (`false`), all (`true`), or those that satisfy an item. */
type Allowed = boolean | PolicyItem;

const OPERATORS = ['$eq', '$ne', '$in', '$nin', '$lt', '$lte', '$gt', '$gte', '$exists'];

const ORDERINGS = { $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' } as const;

/**
 * Converts the rules of a CASL ability to a query that passes for the objects on which `can(action, object)` is true.
 * The last rule that applies decides, as in CASL.
 *
 * @param rules - Raw rules, as parsed JSON.
 * @param ability - The action, and the type of the objects.
 * @throws {TypeError | RangeError} When the action or the subject is not a string, or the option `claims` is not a map of claims.
 */
export function fromCasl(
  rules: unknown,
  ability: { readonly action: string; readonly subject: string },
  options: ConversionOptions,
): Conversion<PolicyItem> {
  const { action, subject } = isPlainObject(ability) ? ability : {};
  if (typeof action !== 'string' || typeof subject !== 'string')
    throw wrongType('`ability`', 'an object with the strings `action` and `subject`', ability);
  const converter = new Converter(options);
  if (!Array.isArray(rules)) {
    converter.fail('not_supported', '', 'The rules must be an array.');
    return converter.result<PolicyItem>(undefined);
  }
  const allowed = rules.reduce<Allowed>((before, rule: unknown, index) => {
    const pointer = `/${index}`;
    if (!isPlainObject(rule)) {
      converter.fail('not_supported', pointer, 'A rule must be an object.');
      return before;
    }
    // CASL applies a rule without a subject, or with an empty one, to all subjects.
    const applies =
      includes(rule['action'], action, 'manage') && includes(rule['subject'] || 'all', subject, 'all');
    return applies ? applyRule(before, rule, pointer, converter) : before;
  }, false);
  if (typeof allowed === 'boolean') {
    const message = `The rules ${allowed ? 'allow' : 'forbid'} the action on every object, which a query cannot express.`;
    if (converter.problems.length === 0) converter.fail('constant', '', message);
    return converter.result<PolicyItem>(undefined);
  }
  return converter.result(allowed);
}

function includes(names: unknown, name: string, wildcard: string): boolean {
  const listed: readonly unknown[] = Array.isArray(names) ? names : [names];
  return listed.includes(name) || listed.includes(wildcard);
}

const MEMBERS = ['action', 'subject', 'conditions', 'inverted', 'reason'];

function applyRule(
  before: Allowed,
  rule: Readonly<Record<string, unknown>>,
  pointer: string,
  converter: Converter,
): Allowed {
  const unknown = Object.keys(rule).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    converter.fail(
      'not_supported',
      pointerTo(pointer, unknown),
      `${quote(unknown)} of a rule has no equivalent.`,
    );
    return before;
  }
  const { conditions, inverted } = rule;
  if (inverted !== undefined && typeof inverted !== 'boolean') {
    converter.fail('not_supported', pointerTo(pointer, 'inverted'), '`inverted` must be a boolean.');
    return before;
  }
  if (conditions === undefined) return inverted !== true;
  const item = readConditions(conditions, pointerTo(pointer, 'conditions'), converter);
  if (item === undefined) return before;
  if (inverted === true) {
    if (before === false) return false;
    return before === true ? not(item) : allOf([...partsOf(before, 'allOf'), not(item)]);
  }
  if (before === true) return true;
  return before === false ? item : anyOf([...partsOf(before, 'anyOf'), item]);
}

/** Returns the items of an `allOf` or `anyOf`, so that the next rule extends it. Nesting one policy per rule would make 17 rules too deep to parse (L7). */
function partsOf(item: PolicyItem, combinator: 'allOf' | 'anyOf'): readonly PolicyItem[] {
  const [kind, items] = 'policy' in item ? combinationOf(item.policy) : [];
  return kind === combinator && items !== undefined ? items : [item];
}

/** Converts `conditions` to an item that requires the conditions on all fields. */
function readConditions(conditions: unknown, pointer: string, converter: Converter): PolicyItem | undefined {
  const entries = isPlainObject(conditions) ? Object.entries(conditions) : [];
  if (entries.length === 0)
    return converter.fail(
      'not_supported',
      pointer,
      'The conditions must be an object that is not empty. Remove `conditions` if the rule applies to every object.',
    );
  const items = converter.all(entries, pointer, (entry) => {
    const [name, condition] = entry as readonly [string, unknown];
    return readField(name, condition, pointerTo(pointer, name), converter);
  });
  return items && join(items);
}

function readField(
  name: string,
  condition: unknown,
  pointer: string,
  converter: Converter,
): PolicyItem | undefined {
  if (name.startsWith('$'))
    return converter.fail(
      'not_supported',
      pointer,
      `CASL supports no operator in place of a field (got ${quote(name)}).${adviceFor(name)}`,
    );
  const mapped = converter.claimOf(name, pointer);
  if (mapped === undefined) return undefined;
  if (!isPlainObject(condition)) return converter.equals(mapped, condition, pointer);
  const entries = Object.entries(condition);
  if (entries.length === 0) {
    const message = 'The condition on a field must be a literal, or an object with at least one operator.';
    return converter.fail('not_supported', pointer, message);
  }
  const items = converter.all(entries, pointer, (entry) => {
    const [operator, value] = entry as readonly [string, unknown];
    return readOperator(mapped, operator, value, pointerTo(pointer, operator), converter);
  });
  return items && join(items);
}

function adviceFor(operator: string): string {
  if (operator === '$and') return ' Merge its parts into one object of conditions.';
  return operator === '$or' ? ' Repeat the rule for each alternative.' : '';
}

function readOperator(
  mapped: MappedClaim,
  operator: string,
  value: unknown,
  pointer: string,
  converter: Converter,
): PolicyItem | undefined {
  switch (operator) {
    case '$eq':
      return converter.equals(mapped, value, pointer);
    case '$ne': {
      const item = converter.equals(mapped, value, pointer);
      return item && not(item);
    }
    case '$in':
      return converter.isAmong(mapped, value, pointer);
    case '$nin': {
      const item = converter.isAmong(mapped, value, pointer);
      return item && not(item);
    }
    case '$lt':
    case '$lte':
      // CASL orders an undefined field before all numbers and dates.
      return converter.orders(mapped, ORDERINGS[operator], value, true, pointer);
    case '$gt':
    case '$gte':
      return converter.orders(mapped, ORDERINGS[operator], value, false, pointer);
    case '$exists':
      if (typeof value === 'boolean') return value ? isDefined(mapped) : isUndefined(mapped);
      return converter.fail('type', pointer, `\`$exists\` must be a boolean (got ${describeType(value)}).`);
    default:
      return converter.fail(
        'not_supported',
        pointer,
        `${quote(operator)} has no equivalent. Supported are ${joinNames(OPERATORS, 'and')}.`,
      );
  }
}

function join(items: readonly PolicyItem[]): PolicyItem {
  const [only, ...more] = items;
  return only !== undefined && more.length === 0 ? only : allOf(items);
}
