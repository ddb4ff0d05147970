/** Finds values that are easier to read than one that an analysis proposes, and that fit the type of the claim if it is known. */
import { fitsClaimType } from '../engine/claims/claim-type.js';
import { FIRST_INSTANT, LAST_INSTANT } from '../engine/claims/instant.js';
import { type CatalogueClaim, formatInstant, type JsonValue, parseInstant } from '../engine/index.js';
import { DATE_LENGTH, MS_PER_DAY } from '../util/time.js';

/**
 * Returns a proposed value, if it fits the type, and values to try in its place, the best first. A check may have another
 * outcome on these: the caller must evaluate the checks.
 *
 * @param claim - Absent where the type is not known.
 */
export function adjustValue(value: JsonValue, claim: CatalogueClaim | undefined): readonly JsonValue[] {
  const alternatives = typeof value === 'string' ? stringsLike(value, claim) : othersLike(value, claim);
  return claim === undefined ? alternatives : alternatives.filter((one) => fitsClaimType(one, claim));
}

const EXAMPLES: readonly JsonValue[] = [true, false, 0, 1, 'other', '2026-01-31', '2026-01-31T00:00:00Z'];

/** Returns examples of the values of a claim. */
export function examplesOf(claim: CatalogueClaim): readonly JsonValue[] {
  const examples = [...(claim.values ?? []), ...EXAMPLES, ...arraysAndObjects(claim)];
  return examples.filter((one) => fitsClaimType(one, claim));
}

/** Returns an empty array and an empty object, and then others, since a check may exclude the empty ones. */
function arraysAndObjects(claim: CatalogueClaim | undefined): readonly JsonValue[] {
  const elements = claim?.values ?? ['other'];
  return [[], {}, ...elements.map((element) => [element]), { other: true }];
}

function othersLike(value: JsonValue, claim: CatalogueClaim | undefined): readonly JsonValue[] {
  if (typeof value === 'number') return [value, Math.floor(value), Math.ceil(value)];
  return typeof value === 'object' ? [value, ...arraysAndObjects(claim)] : [value];
}

function stringsLike(value: string, claim: CatalogueClaim | undefined): readonly string[] {
  const instant = parseInstant(value);
  if (instant === undefined)
    // The empty string is a valid value, but a poor example.
    return value === '' ? [...(claim?.values ?? []), 'other', value] : [value, ...(claim?.values ?? [])];
  const days = [instant, instant + MS_PER_DAY]
    .filter((at) => at >= FIRST_INSTANT && at <= LAST_INSTANT)
    .map((at) => formatInstant(at).slice(0, DATE_LENGTH));
  const start = value.length === DATE_LENGTH ? [`${value}T00:00:00Z`] : [];
  return [value, ...start, ...days];
}
