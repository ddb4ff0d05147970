/** Reads operands: JSON of bounded size, of the type that the operator takes (L7, L15–L18). */
import { parseInstant } from '../claims/instant.js';
import type { JsonValue } from '../claims/json-value.js';
import { pointerTo } from '../json-pointer.js';
import type { OperandKind, OperatorName } from '../operators/operator.js';
import { isPlainObject } from '../plain-object.js';
import type { Member } from './members.js';
import { describeType, quote } from './problem-list.js';
import { readPattern } from './read-pattern.js';
import type { Reading } from './reading.js';

/** @returns A frozen copy with sorted members; `undefined` where the operand is not right, which is a problem. */
export function readOperand(
  operator: OperatorName,
  kind: Exclude<OperandKind, 'none'>,
  member: Member,
  reading: Reading,
): JsonValue | undefined {
  if (kind === 'pattern') return readPattern(member, reading);
  const value = readJson(member, reading);
  if (value === undefined) return undefined;
  const expected = mismatch(kind, value);
  if (expected === undefined) return value;
  const given = typeof value === 'string' ? `: ${quote(value)}` : `, not ${describeType(value)}`;
  reading.problems.add('operand_type', member.pointer, `\`${operator}\` takes ${expected}${given}.`);
  return undefined;
}

/** @returns A frozen copy of a JSON value within the limits; `undefined` where it is none, which is a problem. */
function readJson(member: Member, reading: Reading): JsonValue | undefined {
  return new JsonReader(reading, member.pointer).read(member.value, member.pointer, 0);
}

/** What the operator takes, where that is not what it was given. */
function mismatch(kind: Exclude<OperandKind, 'none' | 'pattern'>, value: JsonValue): string | undefined {
  switch (kind) {
    case 'any':
      return undefined;
    case 'string':
      return typeof value === 'string' ? undefined : 'a string';
    case 'array':
      return Array.isArray(value) ? undefined : 'an array';
    case 'number-or-date':
      return isOrderable(value)
        ? undefined
        : 'a number, or an RFC 3339 date or date-time such as `2026-01-31`';
  }
}

function isOrderable(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && parseInstant(value) !== undefined);
}

function isShortText(value: unknown, { limits }: Reading): value is string {
  return typeof value === 'string' && value.length <= limits.stringCodeUnits;
}

/** Copies one operand, and stops at the first limit that it meets: each is told once an operand. */
class JsonReader {
  readonly #reading: Reading;
  readonly #operandPointer: string;
  #entries = 0;
  #stopped = false;

  constructor(reading: Reading, operandPointer: string) {
    this.#reading = reading;
    this.#operandPointer = operandPointer;
  }

  read(value: unknown, pointer: string, depth: number): JsonValue | undefined {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : this.#refuse(pointer, `a finite number, not ${value}`);
      case 'string':
        return this.#readString(value, pointer);
      case 'object':
        return value === null ? null : this.#readNested(value, pointer, depth + 1);
      default:
        return this.#refuse(pointer, `a JSON value, not ${describeType(value)}`);
    }
  }

  #readNested(value: object, pointer: string, depth: number): JsonValue | undefined {
    const { operandDepth } = this.#reading.limits;
    if (depth > operandDepth) {
      return this.#exceed(
        'limit_operand_depth',
        operandDepth,
        `An operand nests at most ${operandDepth} deep.`,
      );
    }
    if (Array.isArray(value)) return this.#readArray(value, pointer, depth);
    return isPlainObject(value)
      ? this.#readObject(value, pointer, depth)
      : this.#refuse(pointer, 'a JSON value, not an instance of a class');
  }

  #readArray(values: readonly unknown[], pointer: string, depth: number): JsonValue | undefined {
    const copy: JsonValue[] = [];
    for (const [index, value] of values.entries()) {
      const counted = this.#count();
      if (counted && isShortText(value, this.#reading)) {
        // Most lists are of short texts: nothing is wrong with them, so they need no place.
        copy.push(value);
        continue;
      }
      const entry = counted ? this.read(value, pointerTo(pointer, index), depth) : undefined;
      if (entry !== undefined) copy.push(entry);
      else if (this.#stopped) return undefined;
    }
    return Object.freeze(copy);
  }

  #readObject(
    object: Readonly<Record<string, unknown>>,
    pointer: string,
    depth: number,
  ): JsonValue | undefined {
    const copy: [string, JsonValue][] = [];
    for (const name of Object.keys(object).sort()) {
      if (object[name] === undefined) continue;
      const place = pointerTo(pointer, name);
      const counted = this.#count() && this.#readString(name, place) !== undefined;
      const entry = counted ? this.read(object[name], place, depth) : undefined;
      if (entry !== undefined) copy.push([name, entry]);
      else if (this.#stopped) return undefined;
    }
    return Object.freeze(Object.fromEntries(copy));
  }

  #readString(text: string, pointer: string): string | undefined {
    const { stringCodeUnits } = this.#reading.limits;
    if (text.length <= stringCodeUnits) return text;
    const message = `A string in an operand has at most ${stringCodeUnits} code units, not ${text.length}.`;
    this.#reading.problems.addLimit('limit_string', pointer, stringCodeUnits, message);
    return undefined;
  }

  #count(): boolean {
    const { listEntries } = this.#reading.limits;
    this.#entries += 1;
    if (this.#entries <= listEntries) return true;
    this.#exceed('limit_list_entries', listEntries, `An operand has at most ${listEntries} entries in all.`);
    return false;
  }

  #exceed(code: 'limit_list_entries' | 'limit_operand_depth', limit: number, message: string): undefined {
    this.#stopped = true;
    this.#reading.problems.addLimit(code, this.#operandPointer, limit, message);
    return undefined;
  }

  #refuse(pointer: string, expected: string): undefined {
    this.#reading.problems.add('operand_type', pointer, `An operand is ${expected}.`);
    return undefined;
  }
}
