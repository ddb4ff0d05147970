/**
 * Reads operands: JSON of bounded size and of the operator's type, and patterns of bounded program size and work
 * (L7, L15–L18, S155, S176).
 */

import { isPlainObject } from '../../util/is-plain-object.js';
import { parseInstant } from '../claims/instant.js';
import type { JsonValue } from '../claims/json-value.js';
import type { LimitProblemCode } from '../errors.js';
import { describeOperand } from '../names.js';
import type { OperandKind, OperatorName } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import { compileWith, type PatternOutcome } from '../regex-engine.js';
import { describeType } from '../value-types.js';
import type { Member } from './members.js';
import type { ParseContext, QueryLimits } from './parse-context.js';

/** Reads an operand into a frozen copy with sorted members; `undefined` where it is invalid, which is reported. */
export function readOperand(
  operator: OperatorName,
  kind: Exclude<OperandKind, 'none'>,
  member: Member,
  context: ParseContext,
): JsonValue | undefined {
  if (kind === 'pattern') return readPattern(member, context);
  const expected = EXPECTED[kind];
  if (!expected.hasType(member.value)) return refuseOperand(operator, expected.label, member, context);
  const value = new OperandReader(context, member.pointer).read(member.value, 0, member.pointer);
  if (kind === 'number-or-date' && typeof value === 'string' && parseInstant(value) === undefined)
    return refuseOperand(operator, expected.label, member, context);
  return value;
}

/** The JSON types of operands, and their label in messages. */
const EXPECTED: Readonly<
  Record<
    Exclude<OperandKind, 'none' | 'pattern'>,
    { readonly label: string; readonly hasType: (value: unknown) => boolean }
  >
> = {
  any: { label: 'a JSON value', hasType: () => true },
  string: { label: 'a string', hasType: (value) => typeof value === 'string' },
  array: { label: 'an array', hasType: Array.isArray },
  'number-or-date': {
    label: 'a number, or an RFC 3339 date or date-time such as `2026-01-31`',
    hasType: (value) => typeof value === 'number' || typeof value === 'string',
  },
};

function refuseOperand(
  operator: OperatorName,
  expected: string,
  { value, pointer }: Member,
  { problems }: ParseContext,
): undefined {
  const message = `The \`value\` of \`${operator}\` must be ${expected}, not ${describeOperand(value)}.`;
  return problems.add('operand_type', pointer, message);
}

/** Copies one operand. Stops when it exceeds the limit on depth or on entries, which is reported once; every string that is too long is reported. */
class OperandReader {
  readonly #context: ParseContext;
  readonly #operandPointer: string;
  #entries = 0;
  #stopped = false;

  constructor(context: ParseContext, operandPointer: string) {
    this.#context = context;
    this.#operandPointer = operandPointer;
  }

  /** Reads a value. Its pointer is built only for a problem. */
  read(value: unknown, depth: number, parent: string, segment?: string | number): JsonValue | undefined {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : this.#refuse('a finite number', value, parent, segment);
      case 'string':
        return this.#readString(value, parent, segment);
      case 'object':
        return value === null ? null : this.#readNested(value, depth + 1, parent, segment);
      default:
        return this.#refuse('a JSON value', value, parent, segment);
    }
  }

  #readNested(
    value: object,
    depth: number,
    parent: string,
    segment: string | number | undefined,
  ): JsonValue | undefined {
    if (this.#exceeds('operandDepth', depth, 'limit_operand_depth', 'must nest', 'deep')) return undefined;
    const pointer = pointerTo(parent, segment);
    if (Array.isArray(value)) return this.#readArray(value, depth, pointer);
    return isPlainObject(value)
      ? this.#readObject(value, depth, pointer)
      : this.#refuse('a JSON value', value, pointer);
  }

  #readArray(values: readonly unknown[], depth: number, pointer: string): JsonValue | undefined {
    const copy: JsonValue[] = [];
    if (!this.#count(values)) return undefined;
    for (const [index, value] of values.entries()) {
      const entry = this.read(value, depth, pointer, index);
      if (entry !== undefined) copy.push(entry);
      else if (this.#stopped) return undefined;
    }
    // `slice` removes the spare capacity of an array that was filled by `push`.
    return Object.freeze(copy.slice());
  }

  #readObject(
    object: Readonly<Record<string, unknown>>,
    depth: number,
    pointer: string,
  ): JsonValue | undefined {
    const copy: [string, JsonValue][] = [];
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    if (!this.#count(names)) return undefined;
    for (const name of names.sort()) {
      const isShort = this.#readString(name, pointer, name) !== undefined;
      const entry = isShort ? this.read(object[name], depth, pointer, name) : undefined;
      if (entry !== undefined) copy.push([name, entry]);
      else if (this.#stopped) return undefined;
    }
    return Object.freeze(Object.fromEntries(copy));
  }

  #readString(text: string, parent: string, segment: string | number | undefined): string | undefined {
    const context = this.#context;
    // Most strings are short enough, and need no pointer.
    if (text.length > context.limits.stringCodeUnits) {
      const pointer = pointerTo(parent, segment);
      context.exceeds(
        'stringCodeUnits',
        text.length,
        'limit_string',
        pointer,
        'A string in an operand must have',
        'code units',
      );
      return undefined;
    }
    return text;
  }

  /** Counts the entries of an array or an object before any of them is read. */
  #count({ length }: readonly unknown[]): boolean {
    this.#entries += length;
    return !this.#exceeds(
      'listEntries',
      this.#entries,
      'limit_list_entries',
      'must have',
      'entries in total',
    );
  }

  #exceeds(
    limit: keyof QueryLimits,
    size: number,
    code: LimitProblemCode,
    verb: string,
    unit: string,
  ): boolean {
    const pointer = this.#operandPointer;
    this.#stopped = this.#context.exceeds(limit, size, code, pointer, `An operand ${verb}`, unit);
    return this.#stopped;
  }

  #refuse(expected: string, value: unknown, parent: string, segment?: string | number): undefined {
    return this.#context.problems.add(
      'operand_type',
      pointerTo(parent, segment),
      `An operand must be ${expected}, not ${describeType(value)}.`,
    );
  }
}

/** Reads a pattern and compiles it into `context.patterns`. Problems are reported. */
function readPattern(member: Member, context: ParseContext): string | undefined {
  const { value, pointer } = member;
  const { patterns, problems } = context;
  if (typeof value !== 'string') return refuseOperand('matchRegex', 'an RE2 pattern', member, context);
  if (
    context.exceeds(
      'patternCodeUnits',
      value.length,
      'limit_pattern',
      pointer,
      'A pattern must have',
      'code units',
    )
  ) {
    return undefined;
  }
  if (!patterns.has(value)) patterns.set(value, compilePattern(value, pointer, context));
  const outcome = patterns.get(value);
  if (outcome?.accepted === false) {
    const message = `The \`value\` of \`matchRegex\` is not a valid RE2 pattern: ${outcome.reason}. RE2 has no look-around or back-references.`;
    return problems.add('pattern_invalid', pointer, message);
  }
  const size = context.patternSizes.get(value) ?? 0;
  const owner = 'A pattern, with its repetitions expanded, must have';
  return context.exceeds('patternProgram', size, 'limit_pattern_program', pointer, owner, 'parts')
    ? undefined
    : value;
}

/**
 * Measures a pattern, and compiles it where its size and the work so far permit it. The first pattern at which the total
 * work exceeds its limit is reported; no further one is compiled.
 */
function compilePattern(pattern: string, pointer: string, context: ParseContext): PatternOutcome | undefined {
  const { regex, limits, patternSizes } = context;
  const measure = regex?.measure?.(pattern);
  if (measure?.accepted === false) return measure;
  if (measure !== undefined) patternSizes.set(pattern, measure.size);
  const isTooLarge = (measure?.size ?? 0) > limits.patternProgram;
  if (regex === undefined || isTooLarge || context.patternWork > limits.patternWork) return undefined;
  context.patternWork += measure?.work ?? pattern.length;
  const owner = 'The patterns of a query must compile in';
  const { patternWork } = context;
  if (context.exceeds('patternWork', patternWork, 'limit_pattern_work', pointer, owner, 'steps in total'))
    return undefined;
  const outcome = compileWith(regex, pattern);
  if (outcome.accepted && measure === undefined) patternSizes.set(pattern, outcome.pattern.programSize);
  return outcome;
}
