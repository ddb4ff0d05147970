/** Converts the items of a policy set to their serialized form, and back. */
import { isPrimitive, type JsonPrimitive, type JsonValue } from '../engine/claims/json-value.js';
import { assertEngineForPatterns, readPredicate } from '../engine/compile/compile.js';
import { patternOf } from '../engine/compile/plan.js';
import type { OperatorName } from '../engine/operators/operators.js';
import { ParseContext, type ParseOptions } from '../engine/query/parse-context.js';
import type { Check } from '../engine/query/query.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { FORM, type Form, GROUP, type Group, isFormOf } from './check-forms.js';
import { invalidBytes } from './errors.js';
import type { ItemNumber } from './item-records.js';
import type { ItemTable } from './item-table.js';

/** Items are numbered: `checks`, then `tested`, then `groups`, each after its members. */
export interface SavedItems {
  readonly claims: readonly string[];
  readonly values: readonly JsonPrimitive[];
  /** The checks that are not among `checks`: claim, operator, and operand if the operator has one. */
  readonly tested: readonly (readonly [claim: string, operator: string, value?: JsonValue])[];
  /** For each other check its form, the index of its claim, the number of its values, and their indexes in ascending order. */
  readonly checks: ArrayLike<number>;
  /** For each group its kind, the number of its members, and these in the order in which they are decided. */
  readonly groups: ArrayLike<number>;
}

/**
 * The operators of tested checks that are saved among `checks` where they compare with a string, a number, a boolean or `null`:
 * loading these needs no parser. Their form is the index of the operator plus {@link TESTED}.
 */
const TESTED_OPERATORS: readonly OperatorName[] = ['contains', 'startsWith'];
const TESTED = 32;

const CHECK_HEAD = 3;
const GROUP_HEAD = 2;

/** The sizes of loaded items, to which the limits of queries apply. */
export interface ItemSizes {
  /** For each item, how deep policies in it nest. */
  readonly depths: ArrayLike<number>;
  /** For each item the number of checks in it, each as often as it occurs. */
  readonly counts: ArrayLike<number>;
}

/** Saves the items in use. @returns Also the number of each item. */
export function saveItems(items: ItemTable): {
  readonly saved: SavedItems;
  readonly numbers: ReadonlyMap<ItemNumber, number>;
} {
  const order = items.inOrder();
  const isStored = (item: ItemNumber) => items.isCheck(item) && formOf(items, item) !== FORM.tested;
  const stored = order.filter(isStored);
  const tested = order.filter((item) => items.isCheck(item) && !isStored(item));
  const combined = order.slice(items.checkCount);
  const numbers = new Map([...stored, ...tested, ...combined].map((item, number) => [item, number]));
  const claims = new Map<string, number>();
  const values = new Map<JsonPrimitive, number>();
  const checks = stored.flatMap((item) => {
    const form = formOf(items, item);
    const operand = form < TESTED ? items.valuesOf(item) : [items.check(item).value as JsonPrimitive];
    const indexes = operand.map((value) => indexOf(values, value));
    indexes.sort((one, other) => one - other);
    return [form, indexOf(claims, items.pathOf(item)), indexes.length, ...indexes];
  });
  const groups = combined.flatMap((group) => {
    // Items in use have a number.
    const members = Array.from(items.membersOf(group), (member) => numbers.get(member) as number);
    return [items.kindOf(group), members.length, ...members];
  });
  const saved = {
    claims: [...claims.keys()],
    values: [...values.keys()],
    tested: tested.map((item) => {
      const { claim, operator, value } = items.check(item);
      return value === undefined ? ([claim, operator] as const) : ([claim, operator, value] as const);
    }),
    checks,
    groups,
  };
  return { saved, numbers };
}

/**
 * Creates saved items in an empty table, each with its saved number and one use, which the caller must end.
 *
 * @throws {PolicySetError} `invalid_bytes` where they are not items.
 * @throws {QueryError | TypeError} As parsing a check does.
 */
export function loadItems(
  { claims, values, tested, checks, groups }: SavedItems,
  table: ItemTable,
  options: ParseOptions,
): ItemSizes {
  const { limits } = new ParseContext(options);
  const parse = (claim: unknown, operator: unknown, value?: unknown) => {
    const context = new ParseContext(options);
    // A parsed check is a check, and not a policy.
    const { check } = readPredicate({ check: omitUndefined({ claim, operator, value }) }, context) as {
      readonly check: Check;
    };
    assertEngineForPatterns(context);
    return { check, pattern: patternOf(check, context.patterns) };
  };
  // Parsing reports a claim or a value that is not valid, or exceeds a limit.
  const claimNumbers = Int32Array.from(claims, (claim) => {
    parse(claim, 'isDefined');
    return table.claims.numberOf(claim);
  });
  for (const value of values) {
    if (!isPrimitive(value)) throw invalidBytes('each value must be a string, a number, a boolean or `null`');
    const isExcessive =
      typeof value === 'number' ? !Number.isFinite(value) : String(value).length > limits.stringCodeUnits;
    if (isExcessive) parse(claims[0], '==', value);
  }
  const [checkCount, groupCount] = [countRecords(checks, CHECK_HEAD), countRecords(groups, GROUP_HEAD)];
  table.startLoading(
    checkCount + tested.length + groupCount,
    checks.length - checkCount * CHECK_HEAD + groups.length - groupCount * GROUP_HEAD,
  );
  const numbers = Int32Array.from(values, (value) => table.loadValue(value));
  for (let start = 0; start < checks.length; ) {
    const form = checks[start] as Form;
    const claim = checks[start + 1] as number;
    const count = checks[start + 2] as number;
    const end = start + CHECK_HEAD + count;
    const claimNumber = claimNumbers[claim];
    const operand: number[] = [];
    let last = -1;
    for (start += CHECK_HEAD; start < end; start += 1) {
      const number = numbers[checks[start] as number];
      // Ascending, so that lists of the same values are equal.
      if (number === undefined || number <= last) break;
      operand.push(number);
      last = number;
    }
    const operator = form < TESTED ? undefined : TESTED_OPERATORS[form - TESTED];
    const isValid =
      operator === undefined
        ? isFormOf(form, operand) && !(form >= FORM.above && Number.isNaN(table.points[last]))
        : count === 1 && (operator === 'contains' || typeof table.value(last) === 'string');
    if (start !== end || claimNumber === undefined || !isValid)
      throw invalidBytes('each check must be a form, a claim and ascending values');
    if (operator === undefined) table.loadStored(form, claimNumber, operand);
    else table.loadTested({ claim: claims[claim] as string, operator, value: table.value(last) }, undefined);
    if (count > limits.listEntries) parse(claims[claim], 'in', table.valuesOf(table.end - 1));
  }
  for (const [claim, operator, value] of tested) {
    const { check, pattern } = parse(claim, operator, value);
    if (check.value === undefined) throw invalidBytes('each check must have a value');
    table.loadTested(check, pattern);
  }
  table.releaseValues(numbers);
  return loadGroups(groups, groupCount, table);
}

function loadGroups(groups: ArrayLike<number>, groupCount: number, table: ItemTable): ItemSizes {
  const depths = new Int32Array(table.end + groupCount);
  const counts = new Float64Array(depths.length).fill(1, 0, table.end);
  for (let start = 0; start < groups.length; ) {
    const kind = groups[start] as Group;
    const length = groups[start + 1] as number;
    const end = start + GROUP_HEAD + length;
    let depth = 0;
    let count = 0;
    const members: ItemNumber[] = [];
    for (start += GROUP_HEAD; start < end; start += 1) {
      // Members precede their group.
      const member = groups[start] as number;
      if (!(member >= 0 && member < table.end)) break;
      members.push(member);
      depth = Math.max(depth, depths[member] as number);
      count += counts[member] as number;
    }
    const isKind =
      kind === GROUP.not ? length === 1 : (kind === GROUP.allOf || kind === GROUP.anyOf) && length > 0;
    if (start !== end || !isKind)
      throw invalidBytes('each group must be a kind and the numbers of items before it');
    depths[table.end] = depth + 1;
    counts[table.end] = count;
    table.loadGroup(kind, members);
  }
  return { depths, counts };
}

/** Returns the form in which a check is saved; {@link FORM.tested} for one that is saved as it is. */
function formOf(items: ItemTable, item: ItemNumber): number {
  const form = items.kindOf(item);
  if (form !== FORM.tested) return form;
  const { operator, value } = items.check(item);
  const index = TESTED_OPERATORS.indexOf(operator);
  return index >= 0 && value !== undefined && isPrimitive(value) ? TESTED + index : FORM.tested;
}

/**
 * Returns the number of records in a list.
 *
 * @param head - The number of integers before the members of a record, of which the last one is the number of members.
 */
function countRecords(list: ArrayLike<number>, head: number): number {
  let count = 0;
  // A record with a negative number of members, which is rejected later, must not lead back to an earlier one.
  for (let start = 0; start < list.length; start += head + Math.max(0, list[start + head - 1] ?? 0))
    count += 1;
  return count;
}

/** Returns the index of a value, the next one for a new value. */
function indexOf<Value>(indexes: Map<Value, number>, value: Value): number {
  const known = indexes.get(value) ?? indexes.size;
  indexes.set(value, known);
  return known;
}
