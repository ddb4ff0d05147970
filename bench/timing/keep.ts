/** Keeps the result of a timed call from being optimized away. */

let kept: unknown;

/** Stores a value until the next call, so that it must be computed. */
export function keep<Value>(value: Value): Value {
  kept = value;
  return value;
}

/** The last stored value. Read once per run, so that the optimizer cannot remove the writes. */
export function lastKept(): unknown {
  return kept;
}
