/** Decides which checks fit the types of columns, according to the engine, and draws random checks that do. */
import * as fc from 'fast-check';
import { isJsonArray, isJsonObject } from '../../../src/engine/claims/json-value.js';
import { type Check, ClaimSet, type JsonValue, OPERATOR_NAMES, parseInstant } from '../../../src/index.js';
import type { ColumnType, DialectName, SqlLayout } from '../../../src/sql/index.js';
import { instantText } from '../../../src/testing/arbitraries/instant.js';
import { jsonNumber, jsonString } from '../../../src/testing/arbitraries/json.js';
import { compile } from '../../support/with-re2js.js';

/** The types of columns that exclude some values. */
export type ExclusiveType = Exclude<ColumnType, 'json'>;

/** The strings that the engine reads from a column `timestamptz`. */
const TIMESTAMP = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns whether a column of a type can have a value. */
export function matchesType(value: JsonValue, type: ColumnType | undefined): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'text':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return (
        typeof value === 'string' &&
        /^(?!0000)\d{4}-\d\d-\d\d$/.test(value) &&
        parseInstant(value) !== undefined
      );
    case 'timestamptz':
      return typeof value === 'string' && TIMESTAMP.test(value);
    case 'json':
      return true;
    case undefined:
      return false;
  }
}

/** Formats dates and date-times as the engine reads them from a column `timestamptz`. */
export function fitTimestamp(value: JsonValue, type: ColumnType | undefined): JsonValue {
  const instant = type === 'timestamptz' && typeof value === 'string' ? parseInstant(value) : undefined;
  return instant === undefined ? value : new Date(instant).toISOString();
}

/** The least and the greatest value of each ordered type, by the order of `<`; for `text`, of the dates in it. */
const EXTREMES: Readonly<Record<ExclusiveType, readonly JsonValue[]>> = {
  integer: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  number: [-Number.MAX_VALUE, Number.MAX_VALUE],
  text: ['0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59.999-23:59'],
  boolean: [false, true],
  date: ['0001-01-01', '9999-12-31'],
  timestamptz: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
};

/** Returns the type of the only column that may contain a claim. */
function typeOf(path: string, layout: SqlLayout): ExclusiveType | undefined {
  if (layout.kind !== 'columns') return undefined;
  const type = layout.columns[path]?.type;
  const isInJson = Object.entries(layout.columns).some(
    ([parent, column]) => column.type === 'json' && path.startsWith(`${parent}.`),
  );
  return isInJson || type === 'json' ? undefined : type;
}

/**
 * Returns whether a check does not fit a type: no value of the type passes it, or one of its operands equals no value
 * of the type. For prefixes and patterns, only the kind of value counts.
 */
function isUnfitting({ claim, operator, value = null }: Check, type: ExclusiveType): boolean {
  switch (operator) {
    case '==':
    case '!=':
      return !matchesType(value, type);
    case 'in':
    case 'notIn':
      return isJsonArray(value) && !value.every((one) => matchesType(one, type));
    case '>':
    case '>=':
    case '<':
    case '<=': {
      const compiled = compile({ check: { claim, operator, value } });
      return !EXTREMES[type].some((extreme) => compiled.test(ClaimSet.of({ [claim]: extreme })));
    }
    case 'contains':
      return true;
    case 'startsWith':
    case 'matchRegex':
      return EXTREMES[type].every((extreme) => typeof extreme !== 'string');
    case 'isDefined':
      return false;
  }
}

/** Returns whether a query has a check that does not fit its column: its translation must be rejected. */
export function hasUnfittingCheck(query: JsonValue, layout: SqlLayout, dialect: DialectName): boolean {
  let found = false;
  mapChecks(query, (check) => {
    const type = typeOf(check.claim, layout);
    // In SQLite, a date column is text.
    const stored = type === 'date' && dialect === 'sqlite' ? 'text' : type;
    if (stored !== undefined && isUnfitting(check, stored)) found = true;
    return check;
  });
  return found;
}

/** Endless random checks that fit columns of each type. */
export type FittingChecks = Readonly<Record<ExclusiveType, Iterator<Pick<Check, 'operator' | 'value'>>>>;

/** Replaces the checks that do not fit their column. */
export function replaceUnfitting(query: JsonValue, layout: SqlLayout, fitting: FittingChecks): JsonValue {
  return mapChecks(query, (check) => {
    const type = typeOf(check.claim, layout);
    if (type === undefined || !isUnfitting(check, type)) return check;
    return { claim: check.claim, ...fitting[type].next().value };
  });
}

function mapChecks(query: JsonValue, map: (check: Check) => Check): JsonValue {
  if (isJsonArray(query)) return query.map((item) => mapChecks(item, map));
  if (!isJsonObject(query)) return query;
  // A check is JSON.
  if (isCheck(query)) return map(query) as unknown as JsonValue;
  return Object.fromEntries(Object.entries(query).map(([name, inner]) => [name, mapChecks(inner, map)]));
}

function isCheck(value: unknown): value is Check {
  return (
    isJsonObject(value as JsonValue) &&
    OPERATOR_NAMES.includes((value as unknown as Partial<Check>).operator as Check['operator'])
  );
}

/**
 * Draws endless checks that fit columns of each type.
 *
 * @param number - Draws numbers.
 * @param fitString - Makes a string storable in databases.
 */
export function fittingChecks(
  number: fc.Arbitrary<number>,
  fitString: (text: string) => string,
): fc.Arbitrary<FittingChecks> {
  const numbers = fc.oneof(jsonNumber(), number);
  const strings = fc.oneof(jsonString(), instantText()).map(fitString);
  const instants = instantText().filter((text) => parseInstant(text) !== undefined);
  const orders = ['>', '>=', '<', '<='] as const;
  const checks = (values: fc.Arbitrary<JsonValue>, orderable?: fc.Arbitrary<JsonValue>) => {
    const equality = fc.record({ operator: fc.constantFrom('==', '!=' as const), value: values });
    const membership = fc.record({
      operator: fc.constantFrom('in', 'notIn' as const),
      value: fc.array(values, { maxLength: 4, size: 'max' }),
    });
    if (orderable === undefined) return fc.infiniteStream(fc.oneof(equality, membership));
    const order = fc.record({ operator: fc.constantFrom(...orders), value: orderable });
    return fc.infiniteStream(fc.oneof(equality, membership, order));
  };
  const ofType = (values: fc.Arbitrary<JsonValue>, type: ExclusiveType) =>
    values.map((value) => fitTimestamp(value, type)).filter((value) => matchesType(value, type));
  const days = instants.map((text) => text.slice(0, 'YYYY-MM-DD'.length));
  return fc.record({
    integer: checks(ofType(numbers.map(Math.trunc), 'integer'), jsonNumber()),
    number: checks(numbers, numbers),
    text: checks(strings, instants),
    boolean: checks(fc.boolean()),
    date: checks(ofType(days, 'date'), instants),
    timestamptz: checks(ofType(instants, 'timestamptz'), instants),
  });
}
