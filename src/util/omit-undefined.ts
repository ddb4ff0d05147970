/** Creates objects without `undefined` members, as `exactOptionalPropertyTypes` requires. */

/** An object type with members that may be `undefined` made optional. */
export type Defined<Members extends object> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/**
 * Copies an object without the members that are `undefined`; the others keep their order.
 *
 * @param members - An object literal of the caller, not data from outside: a member `__proto__` is not copied as a member.
 */
export function omitUndefined<const Members extends object>(members: Members): Defined<Members> {
  const defined: Partial<Members> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) defined[name] = value;
  }
  // The loop does what the type says, which TypeScript cannot follow.
  return defined as unknown as Defined<Members>;
}
