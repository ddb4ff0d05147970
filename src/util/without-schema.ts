/** Removes the `$schema` member from a parsed JSON file. */

/**
 * Returns the content of a JSON file without the `$schema` member at its top, which names a JSON Schema for editors and is not part of the
 * language. Any other value is returned unchanged.
 */
export function withoutSchema(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || !Object.hasOwn(json, '$schema')) {
    return json;
  }
  const { $schema: _schema, ...content } = json as Readonly<Record<string, unknown>>;
  return content;
}
