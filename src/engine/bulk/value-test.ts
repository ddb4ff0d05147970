/** A check as a question about one value, whoever's it is: what tables are made with, and single values asked about (L14). */
import { createSingleValue } from '../claims/claim-set.js';
import type { JsonValue } from '../claims/json-value.js';
import { END, type PlannedCheck } from '../compile/plan.js';
import { OPERATORS } from '../operators/catalogue.js';

/** Whether a check passes on a value; `undefined` where the claim is not defined, on which it fails. */
export type ValueTest = (value: JsonValue | undefined) => boolean;

/** Makes the operator's own closure read a list of one value. Never throws, allocates nothing for a value. */
export function toValueTest({ operator, expectedValue, pattern }: PlannedCheck): ValueTest {
  // Parsing has checked the operand against the operator's rule; `isDefined`, which has none, does not look at it.
  const operand = (pattern ?? expectedValue) as never;
  const passes = OPERATORS[operator].compile(operand, 0, END);
  const claims = createSingleValue();
  return (value) => {
    claims[0] = value;
    const passed = passes(claims);
    // Nobody's claim outlives its evaluation.
    claims[0] = undefined;
    return passed;
  };
}
