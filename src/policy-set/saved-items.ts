/** The items of a policy set as it is serialized, and created again. */
import { parseInstant } from '../engine/claims/instant.js';
import type { JsonPrimitive, JsonValue } from '../engine/claims/json-value.js';
import { assertEngineForPatterns, readPredicate } from '../engine/compile/compile.js';
import { ParseContext, type ParseOptions } from '../engine/query/parse-context.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { FORM, type Form, GROUP, type Group, isFormOf } from './check-forms.js';
import { isPrimitive } from './claim-table.js';
import { invalidBytes } from './errors.js';
import type { ItemNumber, ItemTable } from './item-table.js';

/** Items are numbered: `tested`, then `checks`, then `groups`, each after its members. */
export interface SavedItems {
  readonly claims: readonly string[];
  readonly values: readonly JsonPrimitive[];
  /** The checks of no other form: claim, operator, and operand if the operator has one. */
  readonly tested: readonly (readonly [claim: string, operator: string, value?: JsonValue])[];
  /** For each other check its form, the index of its claim, the number of its values, and their indexes. */
  readonly checks: readonly number[];
  /** For each group its kind, the number of its members, and these. */
  readonly groups: readonly number[];
}

/** Items in use, which the caller must release. */
export interface LoadedItems {
  readonly items: ItemNumber[];
  /** For each item, how deep policies in it nest. */
  readonly depths: number[];
  /** For each item the number of checks in it, each as often as it occurs. */
  readonly counts: number[];
}

/** Saves the items in use. @returns Also the number of each item. */
export function saveItems(items: ItemTable): {
  readonly saved: SavedItems;
  readonly numbers: ReadonlyMap<ItemNumber, number>;
} {
  const order = items.inOrder();
  const isTested = (item: ItemNumber) => items.kindOf(item) === FORM.tested;
  const stored = order.filter((item) => items.isCheck(item) && !isTested(item));
  const tested = order.filter(isTested);
  const combined = order.slice(items.checkCount);
  const numbers = new Map([...tested, ...stored, ...combined].map((item, number) => [item, number]));
  const claims = new Map<string, number>();
  const values = new Map<JsonPrimitive, number>();
  const checks = stored.flatMap((item) => {
    const indexes = items.valuesOf(item).map((value) => indexOf(values, value));
    return [items.kindOf(item), indexOf(claims, items.pathOf(item)), indexes.length, ...indexes];
  });
  const groups = combined.flatMap((group) => {
    // Items in use have a number.
    const members = Array.from(items.membersOf(group), (member) => numbers.get(member) as number);
    return [items.kindOf(group), members.length, ...members.sort((one, other) => one - other)];
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
 * Adds saved items to a table.
 *
 * @throws {PolicySetError} `invalid_bytes` where they are not items.
 * @throws {QueryError | TypeError} As parsing a check does.
 */
export function loadItems(
  { claims, values, tested, checks, groups }: SavedItems,
  table: ItemTable,
  options: ParseOptions,
): LoadedItems {
  const { limits } = new ParseContext(options);
  const addParsed = (claim: unknown, operator: unknown, value?: unknown): ItemNumber => {
    const context = new ParseContext(options);
    const item = readPredicate({ check: omitUndefined({ claim, operator, value }) }, context);
    assertEngineForPatterns(context);
    return table.addItem(item, context.patterns);
  };
  // Parsing reports a claim or a value that is not valid, or exceeds a limit.
  const claimNumbers = claims.map((claim) => {
    const item = addParsed(claim, 'isDefined');
    const number = table.claimOf(item);
    table.release(item);
    return number;
  });
  for (const value of values) {
    if (!isPrimitive(value)) throw invalidBytes('each value must be a string, a number, a boolean or `null`');
    if (typeof value === 'string' && value.length > limits.stringCodeUnits) addParsed(claims[0], '==', value);
  }
  const items = tested.map((check) => addParsed(...check));
  for (let start = 0; start < checks.length; ) {
    const [form, claim, count] = [checks[start], checks[start + 1], checks[start + 2]] as [
      Form,
      number,
      number,
    ];
    const end = start + 3 + count;
    const operand: (JsonPrimitive | undefined)[] = [];
    for (start += 3; start < Math.min(end, checks.length); start += 1)
      operand.push(values[checks[start] as number]);
    const isValid =
      start === end &&
      claimNumbers[claim] !== undefined &&
      isFormOf(form, operand) &&
      !operand.includes(undefined);
    if (!isValid || (form >= FORM.above && !isOrderable(operand[0])))
      throw invalidBytes('each check must be a form, a claim and values');
    if (count > limits.listEntries) addParsed(claims[claim], 'in', operand);
    // Checked above.
    items.push(table.addStored(form, claimNumbers[claim] as number, operand as readonly JsonPrimitive[]));
  }
  const depths = items.map(() => 0);
  const counts = items.map(() => 1);
  for (let start = 0; start < groups.length; ) {
    const [kind, length] = [groups[start], groups[start + 1]] as [Group, number];
    const end = start + 2 + length;
    const members: ItemNumber[] = [];
    let [depth, count] = [0, 0];
    for (start += 2; start < end; start += 1) {
      // Members precede their group.
      const number = groups[start] as number;
      const member = items[number];
      if (member === undefined) break;
      members.push(table.use(member));
      depth = Math.max(depth, depths[number] as number);
      count += counts[number] as number;
    }
    const isKind =
      kind === GROUP.not ? length === 1 : (kind === GROUP.allOf || kind === GROUP.anyOf) && length > 0;
    if (start !== end || !isKind)
      throw invalidBytes('each group must be a kind and the numbers of items before it');
    items.push(table.addGroup(kind, members));
    depths.push(depth + 1);
    counts.push(count);
  }
  return { items, depths, counts };
}

/** Returns whether ordering operators compare with a value. */
function isOrderable(value: JsonPrimitive | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && parseInstant(value) !== undefined);
}

/** Returns the index of a value, the next one for a new value. */
function indexOf<Value>(indexes: Map<Value, number>, value: Value): number {
  const known = indexes.get(value) ?? indexes.size;
  indexes.set(value, known);
  return known;
}
