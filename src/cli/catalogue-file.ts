/** A file of scopes, claims and presets that a deployment brings. */
import type { Catalogue } from '../index.js';
import { CatalogueError, readCatalogue } from '../service/index.js';
import { listProblems, readJsonFile } from './json-file.js';
import { CommandError, EXIT } from './output.js';

/** @throws {CommandError} With every problem of the file and its place. */
export function readCatalogueFile(file: string): Catalogue {
  const json = readJsonFile(file);
  try {
    return readCatalogue(json);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new CommandError(listProblems(file, error.problems), EXIT.usage);
  }
}
