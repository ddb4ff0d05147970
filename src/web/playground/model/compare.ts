/** Compares two policies for all possible claims, by the static analysis. */
import { implies } from '../../../analysis/index.js';
import type { Credential, RegexEngine } from '../../../engine/index.js';

/** How two policies differ. `onlyThis` and `onlyOther` are examples: claims on which only this policy, or only the other one, passes. */
export type Comparison =
  | { readonly kind: 'equivalent' }
  | { readonly kind: 'different'; readonly onlyThis?: Credential; readonly onlyOther?: Credential }
  /** The analysis could not decide at least one direction. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Search limit, since the comparison runs while the user types. */
const MAX_STEPS = 4_000;

/**
 * Compares two valid queries.
 *
 * @throws {TypeError} For projections.
 */
export function comparePolicies(query: unknown, other: unknown, regex: RegexEngine): Comparison {
  const options = { regex, steps: MAX_STEPS };
  const forwards = implies(query, other, options);
  const backwards = implies(other, query, options);
  if (forwards.answer === 'unknown') return { kind: 'unknown', reason: forwards.reason };
  if (backwards.answer === 'unknown') return { kind: 'unknown', reason: backwards.reason };
  if (forwards.answer === 'yes' && backwards.answer === 'yes') return { kind: 'equivalent' };
  const [onlyThis] = forwards.witness ?? [];
  const [onlyOther] = backwards.witness ?? [];
  return {
    kind: 'different',
    ...(forwards.answer === 'no' && onlyThis !== undefined ? { onlyThis } : {}),
    ...(backwards.answer === 'no' && onlyOther !== undefined ? { onlyOther } : {}),
  };
}
