/** The port of the wall clock. */

export interface Clock {
  /** The instant that it is, epoch milliseconds; a whole number. Never throws. */
  now(): number;
}
