/** What each operator says of a defined claim, read off the specification (L14–L18). */
import type { JsonValue } from '../engine/claims/json-value.js';
import type { OperatorName } from '../engine/operators/operators.js';
import type { CompiledPattern, RegexEngine } from '../engine/regex-engine.js';
import { readInstant } from './reference-instant.js';
import { areEqual, isArray } from './reference-json.js';

/** Whether a check on a defined claim passes; the operand is one that parsing accepts. */
type Holds = (claim: JsonValue, operand: JsonValue, regex: RegexEngine) => boolean;

/** The twelve operators. A claim of another type than an operator works on makes the check fail (L15). */
export const HOLDS: Readonly<Record<OperatorName, Holds>> = {
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

/** The compiled form of a pattern that parsing accepted. @throws {TypeError} Where the engine refuses it after all. */
export function toPattern(pattern: string, regex: RegexEngine): CompiledPattern {
  const outcome = regex.compile(pattern);
  if (!outcome.accepted) throw new TypeError('parsing accepts no pattern that the engine refuses');
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
