/** The people who should pass a policy, and those who should not. */
import type { Evaluation } from './evaluate.js';
import type { Person } from './people.js';

/** Whether a person should pass, by name. Others are not tested. */
export type Expected = Readonly<Record<string, boolean>>;

/** Counts the people with an expected result, and those of them whose result is as expected. */
export function countExpectations(
  { passesFor }: Extract<Evaluation, { kind: 'predicate' }>,
  people: readonly Person[],
  expected: Expected,
): { readonly met: number; readonly total: number } {
  const tested = people.filter(({ name }) => Object.hasOwn(expected, name));
  const met = tested.filter(({ name, credentials }) => passesFor(credentials) === expected[name]);
  return { met: met.length, total: tested.length };
}
