/** Reads a catalogue file. */
import { type Catalogue, CatalogueError, parseCatalogue } from '../index.js';
import { re2js } from '../regex/re2js.js';
import { formatProblems, readJsonFile } from './json-file.js';
import { CommandError, EXIT } from './output.js';

/** @throws {CommandError} If the file cannot be read, is not JSON, or is an invalid catalogue: then with its first problems and their pointers. */
export function readCatalogueFile(file: string): Catalogue {
  const json = readJsonFile(file);
  try {
    return parseCatalogue(json, { regex: re2js });
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
  }
}
