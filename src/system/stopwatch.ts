/** The system's monotonic clock: how long something took, whatever the wall clock does meanwhile. */

/** Milliseconds since the process began, with fractions. */
export const systemStopwatch = (): number => performance.now();
