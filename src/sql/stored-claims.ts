/** Rejects claims that the database does not store: they would be undefined for everybody, and their negation would pass (L14). */
import { suggestion } from '../engine/names.js';
import { UnsupportedConstruct } from './errors.js';

/**
 * Asserts that a claim that is not stored is known to be undefined for everybody.
 *
 * @param stored - The claims that are stored, for a suggestion.
 * @param undefinedClaims - Claims that nobody has, with their members.
 * @param fault - Names what lacks the claim: `The layout has no column`.
 * @throws {UnsupportedConstruct} `layout`.
 */
export function assertStored(
  path: string,
  stored: readonly string[],
  undefinedClaims: readonly string[] = [],
  fault: string,
): void {
  if (undefinedClaims.some((claim) => path === claim || path.startsWith(`${claim}.`))) return;
  const hint = suggestion(path, stored) || ' A claim that nobody has must be listed in `undefinedClaims`.';
  throw new UnsupportedConstruct('layout', `${fault} for \`${path}\`.${hint}`);
}
