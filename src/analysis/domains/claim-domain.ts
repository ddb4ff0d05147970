/** Representative values of a claim, which cover every combination of outcomes of its checks (L12–L18). */

import { ClaimSet } from '../../engine/claims/claim-set.js';
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

/** A value, with the outcome of each check on the claim. */
export interface Candidate {
  /** `undefined` where the claim is not defined. */
  readonly value: JsonValue | undefined;
  /** One entry per check. */
  readonly passes: readonly boolean[];
}

/** The candidates of a claim. Unless `incomplete` is set, every value has the same outcomes as one of them. */
export interface ClaimDomain {
  readonly claim: string;
  readonly candidates: readonly Candidate[];
  /** Why outcomes may be missing; absent if the candidates are complete. */
  readonly incomplete?: string;
}

/**
 * Creates the candidates of a claim: one value for each combination of outcomes of its checks.
 *
 * @param checks - All checks on the claim.
 * @param overlaps - Whether this claim can be a member of another claim of the analysis, or contain another one as a
 *   member (L13). Candidates then also differ in the members of objects, and in whether the claim is defined, even if no
 *   check distinguishes them.
 * @param steps - The limit on the steps of the analysis, which also bounds the work here.
 * @param current - The claim's current value, which then comes first; of equivalent values, the nearest to it is the
 *   candidate.
 */
export function createDomain(
  claim: string,
  checks: readonly Check[],
  overlaps: boolean,
  options: CompileOptions,
  steps: number,
  current?: CurrentValue,
): ClaimDomain {
  const equals = checks.flatMap(equalityOperands);
  const strings = representativeStrings(checks, equals.filter(isString), options, steps);
  const arrays = representativeArrays(checks, equals.filter(isArray));
  const representatives: readonly (JsonValue | undefined)[] = [
    undefined,
    ...representativeNumbers(checks, equals.filter(isNumber)),
    ...strings.values,
    true,
    false,
    null,
    ...representativeObjects(equals),
    ...arrays.values,
  ];
  const values = current === undefined ? representatives : nearestFirst(representatives, checks, current);
  const compiled = checks.map((check) => compile({ check }, options));
  const bySignature = new Map<string, Candidate>();
  for (const value of values) {
    const claims = ClaimSet.of(value === undefined ? {} : { [claim]: value });
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

/** Returns the part of a signature that is added if claims overlap: the members of an object, and whether the claim is defined. */
function shapeSignature(value: JsonValue | undefined): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : '';
}

/** Returns the values that a check compares for equality. */
export function equalityOperands({ operator, value }: Check): readonly JsonValue[] {
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

/** Returns whether a value is a string. */
export function isString(value: JsonValue): value is string {
  return typeof value === 'string';
}

/** Returns whether a value is a number. */
export function isNumber(value: JsonValue): value is number {
  return typeof value === 'number';
}

/** Returns whether a value is an array. */
export function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
