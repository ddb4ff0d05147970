/** The result of a conversion, and the checks that all converters create. */
import { fitsClaimType } from '../engine/claims/claim-type.js';
import {
  CLAIM_TYPES,
  type ClaimType,
  isClaimPath,
  type JsonValue,
  type Problem,
  parseInstant,
} from '../engine/index.js';
import { assertName, joinNames, quote, suggestion } from '../engine/names.js';
import { assertOptions } from '../engine/options.js';
import { pointerTo } from '../engine/problems.js';
import { MAX_RECURSION } from '../engine/query/parse-context.js';
import type { Check, PolicyItem } from '../engine/query/query.js';
import { assertObject, describeType, wrongType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';

/**
 * The claim of a variable, a field or a fact. The type is that of the catalogue: every defined value of the claim has
 * this type, and is not null. An `array` has elements of any type.
 */
export interface MappedClaim {
  readonly claim: string;
  readonly type: ClaimType;
}

/** By type of a claim: the JavaScript type of the literals that its values are compared with; `undefined` where they are not compared. */
const LITERALS = {
  number: 'number',
  integer: 'number',
  string: 'string',
  enum: 'string',
  date: 'string',
  datetime: 'string',
  boolean: 'boolean',
  array: undefined,
  object: undefined,
} as const satisfies Readonly<Record<ClaimType, string | undefined>>;

export interface ConversionOptions {
  /** The claims by name of the variable (JSON-Logic), field (CASL) or fact (json-rules-engine). */
  readonly claims: { readonly [name: string]: MappedClaim };
}

/** Stable problem codes of a conversion. */
export type ConversionProblemCode =
  /** The construct has no equivalent. */
  | 'not_supported'
  /** The name is not in the option `claims`. */
  | 'unknown_claim'
  /** The claim has another type than the operand: the source would convert one of them. */
  | 'type'
  /** The result would be the same for everyone, which a query cannot express. */
  | 'constant';

/** One reason why a rule or a query has no equivalent, with a JSON Pointer into it. */
export type ConversionProblem = Problem<ConversionProblemCode>;

/** A converted document, or every reason why it has no equivalent. Nothing is approximated. */
export type Conversion<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly ConversionProblem[] };

/** Collects problems while a document is converted. A part with a problem is `undefined`. */
export class Converter {
  readonly problems: ConversionProblem[] = [];
  readonly #claims: ConversionOptions['claims'];
  /** Number of conditions around the one that is read. */
  #depth = 0;

  /** @throws {TypeError} When the option `claims` is not a map of claims, or an option is unknown. @throws {RangeError} When a claim path is invalid. */
  constructor(options: ConversionOptions) {
    assertObject('`options`', options);
    assertOptions(options, ['claims']);
    assertObject('`claims`', options.claims);
    for (const [name, mapped] of Object.entries(options.claims)) {
      assertObject(`the claim of \`${name}\``, mapped);
      const { claim, type } = mapped as Partial<MappedClaim>;
      if (claim === undefined)
        throw new TypeError(
          `the claim of \`${name}\` must have the members \`claim\`, a claim path, and \`type\` (got ${describeMembers(mapped)})`,
        );
      if (typeof claim !== 'string') throw wrongType(`\`claim\` of \`${name}\``, 'a claim path', claim);
      if (!isClaimPath(claim))
        throw new RangeError(
          `\`claim\` of \`${name}\` must be a claim path, such as \`identity.age\` (got ${quote(claim)})`,
        );
      assertName(`\`type\` of \`${name}\``, CLAIM_TYPES, type);
      const other = Object.keys(mapped).find((member) => member !== 'claim' && member !== 'type');
      if (other !== undefined)
        throw new TypeError(
          `the claim of \`${name}\` must have the members \`claim\` and \`type\` only (got ${quote(other)})`,
        );
    }
    this.#claims = options.claims;
  }

  fail(code: ConversionProblemCode, pointer: string, message: string): undefined {
    this.problems.push({ code, pointer, message });
  }

  claimOf(name: unknown, pointer: string): MappedClaim | undefined {
    if (typeof name === 'string' && Object.hasOwn(this.#claims, name)) return this.#claims[name];
    if (typeof name !== 'string')
      return this.fail('unknown_claim', pointer, `The name must be a string (got ${describeType(name)}).`);
    const hint =
      suggestion(name, Object.keys(this.#claims)) || ' Add it, with the path and the type of its claim.';
    return this.fail('unknown_claim', pointer, `The option \`claims\` has no ${quote(name)}.${hint}`);
  }

  /** Returns the name of the claim of a check, and its type. */
  nameOf(claim: string, pointer: string): (MappedClaim & { readonly name: string }) | undefined {
    const found = Object.entries(this.#claims).find(([, mapped]) => mapped.claim === claim);
    if (found !== undefined) return { ...found[1], name: found[0] };
    const message = `The option \`claims\` has no name for the claim ${quote(claim)}. Add one, with the claim's type.`;
    return this.fail('unknown_claim', pointer, message);
  }

  equals(mapped: MappedClaim, value: unknown, pointer: string): PolicyItem | undefined {
    return isValueOf(mapped, value)
      ? toItem({ claim: mapped.claim, operator: '==', value: value as JsonValue })
      : this.#wrongOperand(mapped, value, pointer);
  }

  /** Creates a check that an array has an element. */
  contains(mapped: MappedClaim, value: unknown, pointer: string): PolicyItem | undefined {
    const { claim, type } = mapped;
    if (type !== 'array') {
      const message = `${describeClaim(mapped)} has no elements. If its values are arrays, its type must be \`array\`.`;
      return this.fail('type', pointer, message);
    }
    if (isPrimitive(value) && isRepresentable(value)) return toItem({ claim, operator: 'contains', value });
    const message = `An element of an array must be compared with a string, a finite number or a boolean (got ${describeType(value)}).`;
    return this.fail('type', pointer, message);
  }

  isAmong(mapped: MappedClaim, values: unknown, pointer: string): PolicyItem | undefined {
    const { claim, type } = mapped;
    if (LITERALS[type] === undefined) return this.#wrongOperand(mapped, values, pointer);
    if (!Array.isArray(values)) {
      const message = `${describeClaim(mapped)} must be compared with an array of literals (got ${describeType(values)}).`;
      return this.fail('type', pointer, message);
    }
    const wrong = values.findIndex((value) => !isValueOf(mapped, value));
    if (wrong >= 0) return this.#wrongOperand(mapped, values[wrong], pointerTo(pointer, wrong));
    return toItem({ claim, operator: 'in', value: values as JsonValue });
  }

  /** @param ifUndefined - Whether the source's comparison passes where the claim is undefined. */
  orders(
    mapped: MappedClaim,
    operator: '>' | '>=' | '<' | '<=',
    value: unknown,
    ifUndefined: boolean,
    pointer: string,
  ): PolicyItem | undefined {
    const { claim, type } = mapped;
    if (LITERALS[type] !== 'number' && type !== 'date') {
      const message = `${describeClaim(mapped)} has no order: queries order numbers and dates only.${orderHint(mapped, operator, value)}`;
      return this.fail('type', pointer, message);
    }
    // The order of dates is that of their strings, since all have the same form.
    if (!isLiteralOf(mapped, value) || (type === 'date' && !isValueOf(mapped, value)))
      return this.#wrongOperand(mapped, value, pointer);
    const item = toItem({ claim, operator, value });
    return ifUndefined ? anyOf([item, isUndefined(mapped)]) : item;
  }

  /** Converts each part, so that the problems of all are reported. */
  all<Part>(
    parts: unknown,
    pointer: string,
    convert: (part: unknown, pointer: string) => Part | undefined,
  ): readonly Part[] | undefined {
    if (!Array.isArray(parts) || parts.length === 0)
      return this.fail('not_supported', pointer, 'The conditions must be an array that is not empty.');
    const converted = Array.from(parts, (part, index) => convert(part, pointerTo(pointer, index)));
    return converted.includes(undefined) ? undefined : (converted as readonly Part[]);
  }

  /** Reads a condition, unless it nests deeper than any query. */
  nested(pointer: string, read: () => PolicyItem | undefined): PolicyItem | undefined {
    if (this.#depth === MAX_RECURSION)
      return this.fail('not_supported', pointer, `Conditions must nest at most ${MAX_RECURSION} deep.`);
    this.#depth += 1;
    const item = read();
    this.#depth -= 1;
    return item;
  }

  result<Value>(value: Value | undefined): Conversion<Value> {
    if (value !== undefined && this.problems.length === 0) return { ok: true, value };
    return { ok: false, problems: this.problems };
  }

  #wrongOperand(mapped: MappedClaim, value: unknown, pointer: string): undefined {
    if (mapped.type === 'array')
      return this.fail('type', pointer, 'A claim of type `array` can only be tested for an element.');
    if (mapped.type === 'object')
      return this.fail('type', pointer, 'A claim of type `object` can only be tested for being defined.');
    const received =
      typeof value === 'number'
        ? String(value)
        : EXAMPLES[mapped.type] !== undefined && typeof value === 'string'
          ? quote(value)
          : describeType(value);
    const example = EXAMPLES[mapped.type] ?? '';
    const message = `${describeClaim(mapped)} must be compared with literals of its type${example} (got ${received}).`;
    return this.fail('type', pointer, message);
  }
}

/** Returns whether a value is a literal with which values of a claim can be compared. */
function isLiteralOf({ type }: MappedClaim, value: unknown): value is string | number | boolean {
  return typeof value === LITERALS[type] && isRepresentable(value);
}

/** Returns whether a value is a literal that a value of a claim may equal: false for an invalid date, and for a fraction if the type is `integer`. */
function isValueOf(mapped: MappedClaim, value: unknown): value is string | number | boolean {
  return isLiteralOf(mapped, value) && fitsClaimType(value, { type: mapped.type });
}

const EXAMPLES: Partial<Readonly<Record<ClaimType, string>>> = {
  date: ', such as `2026-01-31`',
  datetime: ', such as `2026-01-31T09:30:00Z`',
};

/** Returns how to order values that are instants, whose order differs from that of their strings. */
function orderHint({ claim, type }: MappedClaim, operator: Check['operator'], value: unknown): string {
  if (typeof value !== 'string' || parseInstant(value) === undefined) return '';
  if (type === 'datetime') {
    const check = JSON.stringify({ claim, operator, value });
    return ` Date-times are ordered as strings here, and as instants in queries, in which offsets and fractions count. To compare instants, remove this condition, and add \`${check}\` to the query.`;
  }
  return type === 'string'
    ? ' If all values are dates such as `2026-01-31`, the type must be `date`; if they have times, `datetime`.'
    : '';
}

function describeMembers(mapped: object): string {
  const [only, ...more] = Object.keys(mapped);
  if (only === undefined) return 'an empty object';
  return more.length === 0 ? quote(only) : joinNames([only, ...more], 'and');
}

function describeClaim({ claim, type }: MappedClaim): string {
  return `The claim ${quote(claim)} of type \`${type}\``;
}

/** Describes an operand that must be a literal. */
export function describeOperand(value: unknown): string {
  const [operator] = onlyMember(value) ?? [];
  return operator === undefined ? describeType(value) : `the result of ${quote(operator)}`;
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Returns the only member of an object, as name and value. */
export function onlyMember(value: unknown): readonly [string, unknown] | undefined {
  const [only, ...more] = isPlainObject(value) ? Object.entries(value) : [];
  return more.length === 0 ? only : undefined;
}

function toItem(check: Check): PolicyItem {
  return { check };
}

/** Creates a check that a claim is defined. */
export function isDefined({ claim }: MappedClaim): PolicyItem {
  return toItem({ claim, operator: 'isDefined' });
}

/** Creates a condition that a claim is undefined. */
export function isUndefined(mapped: MappedClaim): PolicyItem {
  return not(isDefined(mapped));
}

/** Negates an item. */
export function not(item: PolicyItem): PolicyItem {
  return { policy: { not: item } };
}

/** Combines items with AND. */
export function allOf(items: readonly PolicyItem[]): PolicyItem {
  return { policy: { allOf: items } };
}

/** Combines items with OR. */
export function anyOf(items: readonly PolicyItem[]): PolicyItem {
  return { policy: { anyOf: items } };
}

/** Returns whether JSON can represent a primitive: all but NaN and the infinities. */
function isRepresentable(value: unknown): boolean {
  return typeof value !== 'number' || Number.isFinite(value);
}
