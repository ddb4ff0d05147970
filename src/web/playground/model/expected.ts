/** The people who should pass a policy, and those who should not. */

/** Whether a person should pass, by name. Others are not tested. */
export type Expected = Readonly<Record<string, boolean>>;

/** Whether a person passes, by name. */
export type Results = ReadonlyMap<string, boolean>;

/** Counts the people with an expected result, and those of them whose result is as expected. */
export function countExpectations(
  results: Results,
  expected: Expected,
): { readonly met: number; readonly total: number } {
  const tested = [...results].filter(([name]) => Object.hasOwn(expected, name));
  const met = tested.filter(([name, passes]) => passes === expected[name]);
  return { met: met.length, total: tested.length };
}
