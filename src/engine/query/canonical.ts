/** A query's one canonical text: cache key, identity in audit and in provenance (L25). */
import { isJsonArray, isJsonObject, type JsonValue } from '../claims/json-value.js';
import type { Query } from './query.js';

/**
 * Writes a parsed query as canonical JSON (RFC 8785): no white space, members in code-unit order, −0 as 0.
 *
 * @param query - As `parse` returns it. Two queries with one text are one query.
 * @see L25
 */
export function canonicalText(query: Query): string {
  // A parsed query is plain JSON by construction; its members are few and known, or an operand's.
  return write(query as unknown as JsonValue);
}

function write(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${write(value[name] as JsonValue)}`).join(',')}}`;
}
