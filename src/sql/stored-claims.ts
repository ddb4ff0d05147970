/** Rejects claims that the database does not store: they would be undefined for everyone, and their negation would pass (L14). */
import type { ParseOptions } from '../engine/index.js';
import { didYouMean, MAX_SUGGESTED_CODE_UNITS, suggestion } from '../engine/names.js';
import { UnsupportedConstruct } from './errors.js';

/**
 * Asserts that a claim that is not stored is known to be undefined for everyone.
 *
 * @param stored - The claims that are stored, for a suggestion.
 * @param undefinedClaims - Claims that no person has, with their members.
 * @param fault - Names what lacks the claim: `The layout has no column`.
 * @param claims - The claims that exist, where they are known: a stored claim that is not among them is itself misspelled.
 * @throws {UnsupportedConstruct} `layout`, where the claim is not among `undefinedClaims`, and no member of one of them.
 */
export function assertStored(
  path: string,
  stored: readonly string[],
  undefinedClaims: readonly string[] = [],
  fault: string,
  claims?: ParseOptions['claims'],
): void {
  const isWithin = (one: string, claim: string) => one === claim || one.startsWith(`${claim}.`);
  if (undefinedClaims.some((claim) => isWithin(path, claim))) return;
  const exists = (one: string) => claims === undefined || claims.some((claim) => isWithin(one, claim.path));
  const misspelled = didYouMean(
    path,
    stored.filter((one) => !exists(one)),
    MAX_SUGGESTED_CODE_UNITS,
  );
  const hint =
    misspelled === undefined
      ? suggestion(path, stored.filter(exists)) ||
        ' A claim that no person has must be listed in `undefinedClaims`.'
      : ` There is one for \`${misspelled}\`, which is not among the \`claims\`.`;
  throw new UnsupportedConstruct('layout', `${fault} for \`${path}\`.${hint}`);
}
