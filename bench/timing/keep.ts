/** Keeps what a timed call makes from being optimised away. */

let kept: unknown;

/** Holds on to a value until the next one, so that it must really be made. */
export function keep<Value>(value: Value): Value {
  kept = value;
  return value;
}

/** What was held on to last. Read once a run, so that writing it has a purpose that the optimiser cannot deny. */
export function lastKept(): unknown {
  return kept;
}
