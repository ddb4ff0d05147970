/** The result of a conversion, and the checks that all converters create. */
import { isClaimPath, type JsonValue, type Problem } from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { pointerTo } from '../engine/problems.js';
import type { Check, PolicyItem } from '../engine/query/query.js';
import { assertObject, isPlainObject, wrongType } from '../engine/value-types.js';

/** The claim of a variable, a field or a fact. The type is that of every value of it that is defined; none is null. */
export interface MappedClaim {
  readonly claim: string;
  readonly type: 'number' | 'string' | 'boolean';
}

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

/** One reason why a document has no equal query, with a JSON Pointer into it. */
export type ConversionProblem = Problem<ConversionProblemCode>;

/** A converted document, or every reason why it has no equivalent. Nothing is approximated. */
export type Conversion<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly ConversionProblem[] };

/** Collects problems while a document is converted. A part with a problem is `undefined`. */
export class Converter {
  readonly problems: ConversionProblem[] = [];
  readonly #claims: ConversionOptions['claims'];

  /** @throws {TypeError} When the options map no claims. @throws {RangeError} When a claim path is invalid. */
  constructor(options: ConversionOptions) {
    assertObject('`options`', options);
    assertOptions(options, ['claims']);
    assertObject('`claims`', options.claims);
    for (const [name, mapped] of Object.entries(options.claims)) {
      assertObject(`the claim of \`${name}\``, mapped);
      const { claim, type } = mapped as Partial<MappedClaim>;
      if (typeof claim !== 'string' || !isClaimPath(claim))
        throw new RangeError(`the claim of \`${name}\` must be a claim path`);
      if (type !== 'number' && type !== 'string' && type !== 'boolean')
        throw wrongType(`\`type\` of \`${name}\``, 'one of `number`, `string` and `boolean`', type);
    }
    this.#claims = options.claims;
  }

  fail(code: ConversionProblemCode, pointer: string, message: string): undefined {
    this.problems.push({ code, pointer, message });
  }

  claimOf(name: unknown, pointer: string): MappedClaim | undefined {
    if (typeof name === 'string' && Object.hasOwn(this.#claims, name)) return this.#claims[name];
    return this.fail('unknown_claim', pointer, 'The name must be in the option `claims`.');
  }

  /** Returns the name of the claim of a check, and its type. */
  nameOf(claim: string, pointer: string): (MappedClaim & { readonly name: string }) | undefined {
    const found = Object.entries(this.#claims).find(([, mapped]) => mapped.claim === claim);
    if (found !== undefined) return { ...found[1], name: found[0] };
    return this.fail('unknown_claim', pointer, 'The claim must be in the option `claims`.');
  }

  equals(mapped: MappedClaim, value: unknown, pointer: string): PolicyItem | undefined {
    return typeof value === mapped.type && isStored(value)
      ? toItem({ claim: mapped.claim, operator: '==', value: value as JsonValue })
      : this.#wrongOperand(mapped, pointer);
  }

  isAmong({ claim, type }: MappedClaim, values: unknown, pointer: string): PolicyItem | undefined {
    if (Array.isArray(values) && values.every((value) => typeof value === type && isStored(value)))
      return toItem({ claim, operator: 'in', value: values as JsonValue });
    return this.fail('type', pointer, `The operand must be an array of values of the claim's type, ${type}.`);
  }

  /** @param ifUndefined - Whether the source's comparison passes where the claim is undefined. */
  orders(
    mapped: MappedClaim,
    operator: '>' | '>=' | '<' | '<=',
    value: unknown,
    ifUndefined: boolean,
    pointer: string,
  ): PolicyItem | undefined {
    if (mapped.type !== 'number' || typeof value !== 'number' || !isStored(value)) {
      const message =
        'A comparison requires a finite number and a claim of type number: queries compare strings as dates.';
      return this.fail('type', pointer, message);
    }
    const item = toItem({ claim: mapped.claim, operator, value });
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
    const converted = parts.map((part, index) => convert(part, pointerTo(pointer, index)));
    return converted.includes(undefined) ? undefined : (converted as readonly Part[]);
  }

  result<Value>(value: Value | undefined): Conversion<Value> {
    if (value !== undefined && this.problems.length === 0) return { ok: true, value };
    return { ok: false, problems: this.problems };
  }

  #wrongOperand({ type }: MappedClaim, pointer: string): undefined {
    return this.fail('type', pointer, `The operand must have the claim's type, ${type}.`);
  }
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

function isStored(value: unknown): boolean {
  return typeof value !== 'number' || Number.isFinite(value);
}
