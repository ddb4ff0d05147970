/** Keeps the result of a timed call from being optimized away. */

let kept: unknown;

/** Stores a value until the next call, so that its computation is not optimized away. Returns the value. */
export function keep<Value>(value: Value): Value {
  kept = value;
  return value;
}

/** Returns the last stored value. Called once per run, so that the optimizer cannot remove the writes. */
export function lastKept(): unknown {
  return kept;
}
