/** Objects: those that checks name, and one that none names (L16). */
import type { JsonObject, JsonValue } from '../../engine/index.js';

/** @param equals - All values that checks compare with by equality. */
export function objectsBeside(equals: readonly JsonValue[]): readonly JsonObject[] {
  const named = equals.filter(
    (value): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  if (named.every((object) => Object.keys(object).length > 0)) return [{}, ...named];
  // More members than any of them has, under names that no path can reach: claim paths hold no blank.
  const most = Math.max(...named.map((object) => Object.keys(object).length));
  const other = Object.fromEntries(Array.from({ length: most + 1 }, (_, index) => [`other ${index}`, true]));
  return [other, ...named];
}
