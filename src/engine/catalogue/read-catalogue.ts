/** Reads catalogues that are defined in code, with members in camel case. */

import { isPlainObject } from '../../util/is-plain-object.js';
import { assertArray } from '../value-types.js';
import {
  type CatalogueEntry,
  CatalogueError,
  CODE_NAMES,
  FILE_NAMES,
  findScopeAndClaimProblems,
  type ScopesAndClaims,
} from './catalogue-problems.js';
import { CatalogueReader } from './read-entries.js';

/**
 * Reads scopes and claims that code defines.
 *
 * @throws {CatalogueError} With every problem and its JSON Pointer. If members are named as in catalogue files (in snake case, or `extends`), with
 *   the first such member only.
 * @throws {TypeError} When `scopes` or `claims` is not an array.
 */
export function readCatalogueInCode(catalogue: ScopesAndClaims): ScopesAndClaims {
  const { scopes, claims } = catalogue;
  rejectFileMembers(catalogue, '', ['extends']);
  assertArray('`scopes` of the catalogue', scopes);
  assertArray('`claims` of the catalogue', claims);
  for (const [name, list] of Object.entries({ scopes, claims }))
    for (const [index, entry] of list.entries())
      rejectFileMembers(entry, `/${name}/${index}`, Object.values(FILE_NAMES));
  const reader = new CatalogueReader(CODE_NAMES);
  const read = reader.scopesAndClaims({ scopes, claims });
  // Every entry that was read has a pointer.
  const pointerOf = (entry: CatalogueEntry) => String(reader.pointers.get(entry));
  reader.assertValid(findScopeAndClaimProblems(read, pointerOf, CODE_NAMES));
  return read;
}

/**
 * Rejects members that are named as in catalogue files. Otherwise `extends` would have no effect, and each member in snake case would be a problem.
 *
 * @throws {CatalogueError} With the first such member.
 */
function rejectFileMembers(value: unknown, pointer: string, members: readonly string[]): void {
  const inFile = members.find((member) => isPlainObject(value) && member in value);
  if (inFile === undefined) return;
  const message = `\`${inFile}\` is a member of catalogue files: a catalogue file must be passed to \`parseCatalogue\` first.`;
  throw new CatalogueError([{ code: 'member_unknown', pointer: `${pointer}/${inFile}`, message }]);
}
