/** Describes sets of values of a claim in the terms of its checks: intervals, named values, prefixes (L12–L18). */
import { ClaimSet } from '../../engine/claims/claim-set.js';
import { ORDERINGS } from '../../engine/claims/claim-type.js';
import {
  type Check,
  type CompileOptions,
  compile,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../engine/index.js';
import { unusedString } from '../patterns/string-partition.js';
import { equalityOperands, isArray, isNumber, isString } from './claim-domain.js';
import { numberRegions, representativeObjects } from './representatives.js';
import { comparedInstants, writeInstant } from './strings.js';

/** Numbers between two bounds. A bound is infinite where the numbers are not limited on that side. */
export interface Interval {
  readonly low: number;
  readonly includesLow: boolean;
  readonly high: number;
  readonly includesHigh: boolean;
}

/** The values that a claim may have. Contains every possible value, and may contain others. */
export interface PossibleValues {
  /** Whether the claim may be undefined. */
  readonly undefined: boolean;
  readonly null: boolean;
  readonly booleans: readonly boolean[];
  /** Disjoint, in ascending order. */
  readonly numbers: readonly Interval[];
  readonly strings: PossibleStrings;
  readonly arrays: PossibleArrays;
  readonly objects: PossibleValuesOfType<JsonObject>;
}

/** The possible values of one type. */
export interface PossibleValuesOfType<Value> {
  /** The possible values among those that checks compare for equality. */
  readonly named: readonly Value[];
  /** The impossible values among those that checks compare for equality. */
  readonly excluded: readonly Value[];
  /** Whether values are possible that no check compares for equality. */
  readonly others: boolean;
}

/** The strings that a claim may have. */
export interface PossibleStrings extends PossibleValuesOfType<string> {
  /**
   * Of the strings that are not named, those are possible whose longest prefix among the operands of `startsWith` is in this
   * list. `''` is for strings that start with no operand.
   */
  readonly prefixes: readonly string[];
  /** The operands of `startsWith`, and `''`, that are not in `prefixes`. */
  readonly excludedPrefixes: readonly string[];
  /** Whether a string that is not named and not a date is possible. */
  readonly nonDates: boolean;
  /** The instants of all possible dates and date-times, in epoch milliseconds, both bounds included. Absent unless checks compare instants. */
  readonly instants?: readonly Interval[];
  /** Patterns that the string matches. */
  readonly matches: readonly string[];
  /** Patterns that the claim does not match. */
  readonly mismatches: readonly string[];
}

/** The arrays that a claim may have. */
export interface PossibleArrays extends PossibleValuesOfType<JsonArray> {
  /** Elements that the array contains. */
  readonly contains: readonly JsonValue[];
  /** Elements that the claim does not contain. */
  readonly lacks: readonly JsonValue[];
}

/** What is known of the outcomes of a claim's checks. */
export interface KnownOutcomes {
  /** Whether some possible value has these outcomes; `undefined` for either. */
  isPossible(outcomes: readonly (boolean | undefined)[]): boolean;
  /** The outcome that a check has for all possible values; `undefined` where it may have either. */
  outcomeOf(check: Check): boolean | undefined;
}

/** Returns every value that no outcome excludes. @param checks - All checks on the claim. */
export function possibleValues(
  claim: string,
  checks: readonly Check[],
  known: KnownOutcomes,
  options: CompileOptions,
): PossibleValues {
  return new ValueDescriber(claim, checks, known, options).describe();
}

const NOTHING = { undefined: false, null: false, booleans: [], numbers: [] } as const;

class ValueDescriber {
  readonly #checks: readonly Check[];
  readonly #known: KnownOutcomes;
  readonly #outcomes: (value: JsonValue | undefined) => readonly boolean[];
  readonly #equals: readonly JsonValue[];

  constructor(claim: string, checks: readonly Check[], known: KnownOutcomes, options: CompileOptions) {
    this.#checks = checks;
    this.#known = known;
    const compiled = checks.map((check) => compile({ check }, options));
    this.#outcomes = (value) => {
      const claims = ClaimSet.of(value === undefined ? {} : { [claim]: value });
      return compiled.map((query) => query.test(claims));
    };
    this.#equals = checks.flatMap(equalityOperands);
  }

  describe(): PossibleValues {
    const values = {
      undefined: this.#isPossible(undefined),
      null: this.#isPossible(null),
      booleans: [true, false].filter((value) => this.#isPossible(value)),
      numbers: this.#numbers(),
      strings: this.#strings(),
      arrays: this.#arrays(),
      objects: this.#objects(),
    };
    // A pattern that is known to match determines the type, as does an element that is known to be contained.
    const isString = values.strings.matches.length > 0;
    const isArray = values.arrays.contains.length > 0;
    if (!isString && !isArray) return values;
    return {
      ...NOTHING,
      strings: isString ? values.strings : { ...values.strings, named: [], prefixes: [], others: false },
      arrays: isArray ? values.arrays : { ...values.arrays, named: [], others: false },
      objects: { ...values.objects, named: [], others: false },
    };
  }

  #isPossible(value: JsonValue | undefined): boolean {
    return this.#known.isPossible(this.#outcomes(value));
  }

  /** @param isKnown - Whether a check has the same outcome for all values that `value` represents. */
  #isAnyPossible(value: JsonValue | undefined, isKnown: (check: Check) => boolean): boolean {
    const outcomes = this.#outcomes(value);
    return this.#known.isPossible(
      this.#checks.map((check, index) => (isKnown(check) ? outcomes[index] : undefined)),
    );
  }

  #numbers(): readonly Interval[] {
    const regions = numberRegions(this.#checks, this.#equals.filter(isNumber))
      .filter(({ value }) => this.#isPossible(value))
      .sort((one, other) => one.low - other.low || one.high - other.high);
    // In ascending order, each region starts where the previous one ends, unless an impossible region is between them.
    return mergeIntervals(
      regions.map(({ low, high }) => ({
        low,
        includesLow: low === high,
        high,
        includesHigh: low === high,
      })),
      (one, next) => one.high === next.low && one.includesHigh !== next.includesLow,
    );
  }

  #strings(): PossibleStrings {
    const all = [...new Set(this.#equals.filter(isString))];
    const prefixes = ['', ...new Set(this.#operandsOf('startsWith').filter(isString))].filter(
      (prefix, index, list) => list.indexOf(prefix) === index,
    );
    const possible = prefixes.filter((prefix) =>
      this.#isAnyPossible(
        otherString(prefix, prefixes, all),
        ({ operator, value }) => !(ORDERINGS.includes(operator) && isString(value ?? null)),
      ),
    );
    const instants = this.#instants();
    return {
      ...this.#membersOf(all),
      others: possible.length > 0,
      prefixes: possible,
      excludedPrefixes: prefixes.filter((prefix) => !possible.includes(prefix)),
      nonDates: this.#isAnyPossible(
        otherString('', prefixes, all),
        ({ operator }) => operator !== 'startsWith',
      ),
      ...(instants === undefined ? {} : { instants }),
      matches: this.#decided('matchRegex', true).filter(isString),
      mismatches: this.#decided('matchRegex', false).filter(isString),
    };
  }

  /** Returns the instants that are possible; `undefined` where no check compares instants. */
  #instants(): readonly Interval[] | undefined {
    const points = [...new Set(comparedInstants(this.#checks))].sort((one, other) => one - other);
    if (points.length === 0) return undefined;
    const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const regions = [
      ...points.flatMap((point, index): readonly (readonly [number, number])[] => [
        [(points[index - 1] ?? low) + 1, point - 1],
        [point, point],
      ]),
      [(points.at(-1) as number) + 1, high] as const,
    ].filter(([from, to]) => from <= to);
    const possible = regions.filter(([from, to]) => {
      const text = writeInstant(from === low ? to : from, new Set());
      return text !== undefined && this.#isAnyPossible(text, ({ operator }) => ORDERINGS.includes(operator));
    });
    return mergeIntervals(
      possible.map(([from, to]) => ({ low: from, includesLow: true, high: to, includesHigh: true })),
      (one, next) => one.high + 1 === next.low,
    );
  }

  #arrays(): PossibleArrays {
    const all = this.#equals.filter(isArray);
    const other = [unusedString(all.flat())];
    const decided = (passes: boolean) => this.#decided('contains', passes);
    return {
      ...this.#membersOf(all),
      others: this.#isAnyPossible(other, ({ operator }) => operator !== 'contains'),
      contains: decided(true),
      lacks: decided(false),
    };
  }

  #objects(): PossibleValuesOfType<JsonObject> {
    const [other = {}, ...all] = representativeObjects(this.#equals);
    return { ...this.#membersOf(all), others: this.#isPossible(other) };
  }

  #membersOf<Value extends JsonValue>(all: readonly Value[]): Omit<PossibleValuesOfType<Value>, 'others'> {
    const named = all.filter((value) => this.#isPossible(value));
    const possible = new Set(named);
    return { named, excluded: all.filter((value) => !possible.has(value)) };
  }

  #operandsOf(operator: Check['operator']): readonly JsonValue[] {
    return this.#checks.flatMap((check) => (check.operator === operator ? [check.value ?? null] : []));
  }

  /** Returns the operands of the checks with an operator that have one outcome for all possible values. */
  #decided(operator: Check['operator'], passes: boolean): readonly JsonValue[] {
    return this.#checks.flatMap((check) =>
      check.operator === operator && this.#known.outcomeOf(check) === passes ? [check.value ?? null] : [],
    );
  }
}

/** Returns a string that is not named, and whose longest prefix among `prefixes` is the given one. */
function otherString(prefix: string, prefixes: readonly string[], named: readonly string[]): string {
  const longer = prefixes.filter((other) => other.length > prefix.length);
  for (let character = ' '.charCodeAt(0); ; character += 1) {
    const text = `${prefix}${String.fromCharCode(character)}`;
    if (!named.includes(text) && !longer.some((other) => text.startsWith(other))) return text;
  }
}

/** Merges intervals in ascending order. @param touches - Whether nothing lies between an interval and the next one. */
function mergeIntervals(
  intervals: readonly Interval[],
  touches: (one: Interval, next: Interval) => boolean,
): readonly Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && touches(last, interval))
      merged[merged.length - 1] = { ...last, high: interval.high, includesHigh: interval.includesHigh };
    else merged.push(interval);
  }
  return merged;
}
