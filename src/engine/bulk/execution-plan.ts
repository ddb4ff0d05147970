/**
 * Compiles a policy over columns to the kernel that runs on each block of subjects. A policy is first converted to
 * conjunctions of checks and groups, each of which may be negated (L19, V14).
 */
import { type JsonArray, type JsonValue, nextNumber } from '../claims/json-value.js';
import { type PlannedCheck, toValueTest } from '../compile/plan.js';
import { foldItem, type PolicyItem } from '../query/query.js';
import { bitSlicedKernel } from './bit-sliced-index.js';
import type { ClaimColumns } from './claim-columns.js';
import {
  type Column,
  type DictionaryColumn,
  type NumberColumn,
  type PlainColumn,
  toPrefix,
  toValueReader,
} from './column.js';
import {
  type Kernel,
  type Lookup,
  lookupKernel,
  type NumberRange,
  negatedKernel,
  rangeKernel,
  sequenceKernel,
  undefinedKernel,
  valueKernel,
} from './kernels.js';

/** The parts of a conjunction, cheapest first. */
interface Parts {
  /** By codes: the checks on one column are combined into one lookup. */
  readonly lookups: Map<Uint16Array, Lookup>;
  readonly ranges: Kernel[];
  readonly groups: Kernel[];
  readonly perValue: Kernel[];
}

/** Creates the kernel that selects the subjects that satisfy a conjunction. */
export function toKernel(conjunction: Conjunction, columns: ClaimColumns): Kernel {
  const bound = bind(conjunction, columns);
  return typeof bound === 'function' ? bound : dictionaryKernel(bound, columns);
}

/** Returns one lookup where the conjunction reads a single dictionary column, a kernel otherwise. */
function bind({ literals, groups, negated }: Conjunction, columns: ClaimColumns): Lookup | Kernel {
  const parts: Parts = { lookups: new Map(), ranges: [], groups: [], perValue: [] };
  for (const literal of literals) addLiteral(parts, literal, columns.find(literal.check.claim));
  for (const group of groups) {
    const bound = bind(group, columns);
    if (typeof bound === 'function') parts.groups.push(bound);
    else addLookup(parts, bound);
  }
  const lookups = [...parts.lookups.values()];
  // Checks have no side effects, so their order does not affect the result.
  const others = [...parts.ranges, ...parts.groups, ...parts.perValue];
  const [only, ...more] = lookups;
  if (only !== undefined && more.length === 0 && others.length === 0) return negated ? inverse(only) : only;
  const coded = lookups.map((lookup) => dictionaryKernel(lookup, columns));
  const kernel = sequenceKernel([...coded, ...others]);
  return negated ? negatedKernel(kernel) : kernel;
}

function addLiteral(parts: Parts, literal: Literal, column: Column | undefined): void {
  if (column === undefined) {
    parts.ranges.push(undefinedKernel(literal.negated));
  } else if (column.layout === 'dictionary') {
    addLookup(parts, toLookup(literal, column));
  } else {
    const range = column.layout === 'numbers' ? toRangeKernel(literal, column) : undefined;
    if (range !== undefined) parts.ranges.push(range);
    else parts.perValue.push(toValueKernel(literal, column));
  }
}

/** Creates a kernel that tests each value, except strings whose prefix differs from the one that the check requires. */
function toValueKernel(literal: Literal, column: PlainColumn | NumberColumn): Kernel {
  const read = toValueReader(column);
  const prefixes = column.layout === 'plain' ? column.prefixes : undefined;
  const prefix = prefixes && toPrefix(literal.check);
  if (prefixes === undefined || prefix === undefined) {
    const holds = toHolds(literal);
    return valueKernel((row) => holds(read(row)));
  }
  const { negated } = literal;
  const { bits, mask } = prefix;
  const test = toColumnTest(literal.check);
  return valueKernel((row) => (((prefixes[row] as number) & mask) === bits && test(read(row))) !== negated);
}

/** Uses the bit-sliced index where one exists and the matching values are close together, a table lookup otherwise. */
function dictionaryKernel(lookup: Lookup, columns: ClaimColumns): Kernel {
  const index = columns.findBitSlicedIndex(lookup);
  return (index && bitSlicedKernel(index, lookup.holds)) ?? lookupKernel(lookup);
}

function addLookup({ lookups }: Parts, lookup: Lookup): void {
  const before = lookups.get(lookup.codes)?.holds;
  const holds =
    before === undefined ? lookup.holds : lookup.holds.map((one, code) => one & (before[code] as number));
  lookups.set(lookup.codes, { ...lookup, holds });
}

function inverse(lookup: Lookup): Lookup {
  return { ...lookup, holds: lookup.holds.map((one) => one ^ 1) };
}

/** Evaluates a check once per entry instead of once per subject. */
function toLookup(literal: Literal, { codes, entries }: DictionaryColumn): Lookup {
  const holds = toHolds(literal);
  return { codes, entries, holds: Uint8Array.from(entries, (entry) => Number(holds(entry))) };
}

function toRangeKernel({ check, negated }: Literal, { values, nulls }: NumberColumn): Kernel | undefined {
  // The kernel treats `null` as not defined, which is correct only where the check fails on both.
  if (nulls !== undefined && toColumnTest(check)(null)) return undefined;
  const range = toNumberRange(check);
  return range && rangeKernel(values, range, negated);
}

/** Tests a value that may be undefined. A check of an undefined claim fails (L14). */
type ColumnTest = (value: JsonValue | undefined) => boolean;

function toColumnTest(check: PlannedCheck): ColumnTest {
  const test = toValueTest(check);
  return (value) => value !== undefined && test(value);
}

function toHolds({ check, negated }: Literal): ColumnTest {
  const test = toColumnTest(check);
  return negated ? (value) => !test(value) : test;
}

/** A check, or its negation. */
export interface Literal {
  readonly check: PlannedCheck;
  readonly negated: boolean;
}

/** A conjunction of checks and groups, or its negation: `anyOf` is `not` over `allOf` over `not` (De Morgan). */
export interface Conjunction {
  readonly literals: readonly Literal[];
  readonly groups: readonly Conjunction[];
  readonly negated: boolean;
}

/**
 * Converts an item to a conjunction. Groups that are not negated are merged into the enclosing one.
 *
 * @param checks - The item's checks, in document order.
 */
export function toConjunction(item: PolicyItem, checks: readonly PlannedCheck[]): Conjunction {
  let position = 0;
  return foldItem<Conjunction>(item, {
    check: (_check, negated) => {
      const check = checks[position++] as PlannedCheck;
      return { literals: [{ check, negated }], groups: [], negated: false };
    },
    all: conjunctionOf,
    any: (items) => ({ ...conjunctionOf(items.map(negationOf)), negated: true }),
  });
}

function conjunctionOf(items: readonly Conjunction[]): Conjunction {
  return {
    literals: items.flatMap(({ literals, negated }) => (negated ? [] : literals)),
    groups: items.flatMap((item) => (item.negated ? [item] : item.groups)),
    negated: false,
  };
}

function negationOf(item: Conjunction): Conjunction {
  const { literals, groups, negated } = item;
  const [only] = literals;
  if (only === undefined || literals.length > 1 || groups.length > 0) return { ...item, negated: !negated };
  return { literals: [{ ...only, negated: only.negated === negated }], groups, negated: false };
}

const INFINITY = Number.POSITIVE_INFINITY;
const NO_NUMBER: NumberRange = { low: INFINITY, high: -INFINITY, outside: false };
const EVERY_NUMBER: NumberRange = { low: -INFINITY, high: INFINITY, outside: false };

/** Returns the numbers that pass a check; `undefined` where they are not a range. */
function toNumberRange({ operator, expectedValue }: PlannedCheck): NumberRange | undefined {
  switch (operator) {
    case '==':
      return oneOf([expectedValue], false);
    case '!=':
      return oneOf([expectedValue], true);
    case 'in':
      return oneOf(expectedValue as JsonArray, false);
    case 'notIn':
      return oneOf(expectedValue as JsonArray, true);
    case 'isDefined':
      return EVERY_NUMBER;
    case 'contains':
    case 'startsWith':
    case 'matchRegex':
      return NO_NUMBER;
    default:
      // An operand that is not a number is a date, with which no number is comparable.
      return typeof expectedValue === 'number' ? ordered(operator, expectedValue) : NO_NUMBER;
  }
}

function oneOf(operands: JsonArray, outside: boolean): NumberRange | undefined {
  const [number, ...more] = operands.filter((operand: JsonValue) => typeof operand === 'number');
  if (number === undefined) return outside ? EVERY_NUMBER : NO_NUMBER;
  return more.length > 0 ? undefined : { low: number, high: number, outside };
}

function ordered(operator: '>' | '>=' | '<' | '<=', operand: number): NumberRange {
  switch (operator) {
    // `> x` is equivalent to `>= y` for the next double y, so that inclusive bounds suffice.
    case '>':
      return { ...EVERY_NUMBER, low: nextNumber(operand) };
    case '>=':
      return { ...EVERY_NUMBER, low: operand };
    case '<':
      return { ...EVERY_NUMBER, high: -nextNumber(-operand) };
    case '<=':
      return { ...EVERY_NUMBER, high: operand };
  }
}
