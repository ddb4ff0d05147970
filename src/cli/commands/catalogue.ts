/** `proviso catalogue`: the scopes, claims and presets in force, as a file that `serve --catalogue` takes. */
import { DEFAULT_CATALOGUE, writeCatalogue } from '../../service/index.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { printResult } from '../output.js';

/** Prints the default catalogue, or what a file makes of it. @throws {CommandError} When the file is not right. */
export function catalogue(file: string | undefined): void {
  const inForce = file === undefined ? DEFAULT_CATALOGUE : readCatalogueFile(file);
  printResult(JSON.stringify(writeCatalogue(inForce), undefined, 2));
}
