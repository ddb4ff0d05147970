/** Numbers: those that checks name, and one in each gap that a JSON number can lie in (L16, L17). */
import { nextNumber } from '../../engine/claims/json-value.js';
import type { Check } from '../../engine/index.js';

/** @param equals - Numbers that checks compare with by equality. */
export function numbersBeside(checks: readonly Check[], equals: readonly number[]): readonly number[] {
  const bounds = checks.flatMap(({ operator, value }) =>
    ['<', '<=', '>', '>='].includes(operator) && typeof value === 'number' ? [value] : [],
  );
  // Adding zero makes one of the two zeros, which no check tells apart.
  const points = [...new Set([...equals, ...bounds].map((point) => point + 0))].sort((a, b) => a - b);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [0];
  const gaps = points.slice(1).flatMap((point, index) => between(points[index] as number, point));
  return [...points, ...gaps, ...beyond(first, -1), ...beyond(last, 1)];
}

/** The plainest number between two; none where they are neighbours. */
function between(low: number, high: number): readonly number[] {
  const whole = Math.floor(low) + 1;
  if (whole > low && whole < high) return [whole];
  const middle = low + (high - low) / 2;
  if (middle > low && middle < high) return [middle];
  const next = nextNumber(low);
  return next < high ? [next] : [];
}

/** A number further out; none where there is no other finite one. */
function beyond(point: number, direction: 1 | -1): readonly number[] {
  const candidates = [point + direction, point * 2, direction * Number.MAX_VALUE];
  return candidates
    .filter((number) => Number.isFinite(number) && (number - point) * direction > 0)
    .slice(0, 1);
}
