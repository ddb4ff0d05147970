/** All that a claim's value can do to the checks on it, shown by finitely many values (L12–L18). */

import { claimSetOf } from '../../engine/claims/claim-set.js';
import {
  type Check,
  type CompileOptions,
  compile,
  type JsonArray,
  type JsonValue,
} from '../../engine/index.js';
import { type CurrentValue, nearestFirst } from './nearest.js';
import { representativeArrays, representativeNumbers, representativeObjects } from './representatives.js';
import { representativeStrings } from './strings.js';

/** A value, and which of the claim's checks pass on it. */
export interface Candidate {
  /** `undefined` where the claim is not defined. */
  readonly value: JsonValue | undefined;
  /** One entry a check. */
  readonly passes: readonly boolean[];
}

/** A claim's candidates: whatever a value does to the checks, one of these does as well. */
export interface ClaimDomain {
  readonly claim: string;
  readonly candidates: readonly Candidate[];
  /** Why there may be values that do something else; absent where there are none. */
  readonly incomplete?: string;
}

/**
 * Works out a claim's candidates: the values that its checks name, and between and beside them one of each kind that no check can tell
 * from others.
 *
 * @param checks - All checks on the claim.
 * @param overlaps - Whether another claim's path reaches into this one's value, or this one's into another's (L13): then objects, and whether the
 *   claim is defined, make a difference that no check on it shows.
 * @param current - The value that the claim has: then it stands first, and of values that do the same the nearest to it stands for them.
 */
export function createDomain(
  claim: string,
  checks: readonly Check[],
  overlaps: boolean,
  options: CompileOptions,
  current?: CurrentValue,
): ClaimDomain {
  const equals = checks.flatMap(equalityOperands);
  const strings = representativeStrings(checks, equals.filter(isString), options);
  const arrays = representativeArrays(checks, equals.filter(isArray));
  const kinds: readonly (JsonValue | undefined)[] = [
    undefined,
    ...representativeNumbers(checks, equals.filter(isNumber)),
    ...strings.values,
    true,
    false,
    null,
    ...representativeObjects(equals),
    ...arrays.values,
  ];
  const values = current === undefined ? kinds : nearestFirst(kinds, checks, current);
  const compiled = checks.map((check) => compile({ check }, options));
  const bySignature = new Map<string, Candidate>();
  for (const value of values) {
    const claims = claimSetOf(value === undefined ? {} : { [claim]: value });
    const passes = compiled.map((query) => query.test(claims));
    const signature = passes.map(Number).join('') + (overlaps ? shapeSignature(value) : '');
    if (!bySignature.has(signature)) bySignature.set(signature, { value, passes });
  }
  const incomplete = strings.incomplete ?? arrays.incomplete;
  return {
    claim,
    candidates: [...bySignature.values()],
    ...(incomplete === undefined ? {} : { incomplete }),
  };
}

/** What tells a value from others where paths reach into values. */
function shapeSignature(value: JsonValue | undefined): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : '';
}

/** The values that a check compares with as wholes. */
function equalityOperands({ operator, value }: Check): readonly JsonValue[] {
  switch (operator) {
    case '==':
    case '!=':
      return [value as JsonValue];
    case 'in':
    case 'notIn':
      return value as JsonArray;
    default:
      return [];
  }
}

function isString(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isNumber(value: JsonValue): value is number {
  return typeof value === 'number';
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
