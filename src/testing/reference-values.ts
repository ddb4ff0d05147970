/** JSON, instants and operators of the reference interpreter, as the specification defines them (L14–L18). */
import type { JsonValue } from '../engine/claims/json-value.js';
import type { OperatorName } from '../engine/operators/operators.js';
import type { CompiledPattern, RegexEngine } from '../engine/regex-engine.js';

/** Returns whether a value is a JSON array. */
export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns whether a value is a JSON object: neither an array nor `null`. */
export function isObject(value: JsonValue): value is { readonly [member: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value of unknown type is an array. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns whether a value of unknown type is a plain object: neither an array nor an instance of a class. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns whether two values are equal as JSON: arrays by order, objects by own members, all else by value (L16). */
function areEqual(a: JsonValue, b: JsonValue): boolean {
  if (isArray(a) && isArray(b)) {
    return a.length === b.length && a.every((value, index) => areEqual(value, b[index] as JsonValue));
  }
  if (isObject(a) && isObject(b)) {
    const sameSize = Object.keys(a).length === Object.keys(b).length;
    const hasEqual = (name: string) =>
      Object.hasOwn(b, name) && areEqual(a[name] as JsonValue, b[name] as JsonValue);
    return sameSize && Object.keys(a).every(hasEqual);
  }
  return a === b;
}

/** Returns a value with the members of every object in code-unit order, as in results (L24). */
export function sorted(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as JsonValue)]));
}

/** Returns whether a value nests at most `depth` arrays and objects (L12). */
export function nestsWithin(depth: number, value: JsonValue): boolean {
  if (!isArray(value) && !isObject(value)) return true;
  return depth > 0 && Object.values(value).every((inner) => nestsWithin(depth - 1, inner));
}

const SHAPE =
  /^(\d\d\d\d)-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_A_DAY = 1_440;

/**
 * Parses a full-date (its midnight UTC) or a date-time with an offset.
 *
 * @returns Epoch milliseconds; `undefined` where the string is neither. Never throws.
 * @see L17
 */
export function readInstant(text: string): number | undefined {
  const parts = SHAPE.exec(text);
  if (parts === null) return undefined;
  // A full-date is its midnight UTC.
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', sign = '+'] = parts;
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  const days = dayNumber(Number(year), Number(month), Number(day));
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;

  const offset = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1);
  const minutes = days * MINUTES_A_DAY + Number(hour) * 60 + Number(minute) - offset;
  if (Number(second) < 60) {
    return minutes * MINUTE_MS + Number(second) * 1_000 + Number(`${fraction}000`.slice(0, 3));
  }
  // A leap second is the 61st second of the last minute of a month in UTC. It counts as the first instant of the next month.
  const next = minutes + 1;
  return next % MINUTES_A_DAY === 0 && startsMonth(next / MINUTES_A_DAY) ? next * MINUTE_MS : undefined;
}

/** Formats epoch milliseconds as RFC 3339 UTC with milliseconds. @throws {RangeError} Outside the range of `Date`. */
export function writeInstant(at: number): string {
  return new Date(at).toISOString();
}

/** Returns the days since 1970-01-01; `undefined` where the day does not exist. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  if (day < 1 || day > (monthLengths(year)[month - 1] ?? 0)) return undefined;
  const before = monthLengths(year)
    .slice(0, month - 1)
    .reduce((sum, length) => sum + length, 0);
  return daysBeforeYear(year) - daysBeforeYear(1970) + before + day - 1;
}

/** Returns the days from 0000-01-01 to the first day of a year. */
function daysBeforeYear(year: number): number {
  return 365 * year + Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
}

function monthLengths(year: number): readonly number[] {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
}

function startsMonth(days: number): boolean {
  return new Date(days * DAY_MS).getUTCDate() === 1;
}

/** Tests whether a check on a defined claim passes. The operand is valid. */
type OperatorTest = (claim: JsonValue, operand: JsonValue, regex: RegexEngine) => boolean;

/** The twelve operators. A claim of a type that the operator does not support fails (L15). */
export const OPERATOR_TESTS: Readonly<Record<OperatorName, OperatorTest>> = {
  '==': (claim, operand) => areEqual(claim, operand),
  '!=': (claim, operand) => !areEqual(claim, operand),
  '>': (claim, operand) => areOrdered(claim, operand, (a, b) => a > b),
  '>=': (claim, operand) => areOrdered(claim, operand, (a, b) => a >= b),
  '<': (claim, operand) => areOrdered(claim, operand, (a, b) => a < b),
  '<=': (claim, operand) => areOrdered(claim, operand, (a, b) => a <= b),
  in: (claim, operand) => hasElement(operand, claim),
  notIn: (claim, operand) => !hasElement(operand, claim),
  contains: (claim, operand) => hasElement(claim, operand),
  startsWith: (claim, operand) => typeof claim === 'string' && claim.indexOf(String(operand)) === 0,
  matchRegex: (claim, operand, regex) =>
    typeof claim === 'string' && toPattern(String(operand), regex).test(claim),
  isDefined: () => true,
};

/** Compiles a pattern that parsing accepted. @throws {TypeError} When the engine rejects it. */
function toPattern(pattern: string, regex: RegexEngine): CompiledPattern {
  const outcome = regex.compile(pattern);
  if (!outcome.accepted) throw new TypeError('the engine rejects a pattern that parsing accepted');
  return outcome.pattern;
}

function areOrdered(
  claim: JsonValue,
  operand: JsonValue,
  compare: (a: number, b: number) => boolean,
): boolean {
  if (typeof claim === 'number' && typeof operand === 'number') return compare(claim, operand);
  if (typeof claim !== 'string' || typeof operand !== 'string') return false;
  const [left, right] = [readInstant(claim), readInstant(operand)];
  return left !== undefined && right !== undefined && compare(left, right);
}

function hasElement(list: JsonValue, value: JsonValue): boolean {
  return isArray(list) && list.some((element) => areEqual(element, value));
}
