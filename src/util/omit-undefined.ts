/** Creates objects without `undefined` members, as `exactOptionalPropertyTypes` requires. */

/** An object type whose members that may be `undefined` are optional. */
export type Defined<Members extends object> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/**
 * Copies an object without its `undefined` members. Keeps the order of the others.
 *
 * @param members - An object literal. Must not be external data, since a member `__proto__` would set the prototype.
 */
export function omitUndefined<const Members extends object>(members: Members): Defined<Members> {
  const defined: Partial<Members> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) defined[name] = value;
  }
  // TypeScript cannot infer that the loop implements the type.
  return defined as unknown as Defined<Members>;
}
