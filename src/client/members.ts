/** Looking into JSON that came from elsewhere. */

/** The members of an object; of everything else none. Never throws. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
