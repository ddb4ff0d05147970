/** Throws where a condition does not hold. */
export function assert(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}
