/** `proviso catalogue`: prints the scopes, claims and presets, as a file for `serve --catalogue`. */
import type { Command } from 'commander';
import { encodeCatalogue } from '../../service/catalogue/parse-catalogue.js';
import { DEFAULT_CATALOGUE } from '../../service/catalogue/service-catalogue.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { printResult } from '../output.js';

/** Adds the command. */
export function addCatalogue(program: Command): void {
  program
    .command('catalogue')
    .description('print the scopes, claims and presets, as a file for `serve --catalogue`')
    .argument('[file]', 'a catalogue to check and print, merged with the one that it extends')
    .addHelpText(
      'after',
      `
A file with "extends": "default" adds to the default catalogue; otherwise it replaces it.
Exits with 0, or with 2 when the file is invalid: then every problem is listed with its location.

Example:
  proviso catalogue > catalogue.json
  proviso catalogue catalogue.json`,
    )
    .action(catalogue);
}

/** Prints the default catalogue, or that of a file. @throws {CommandError} If the file is invalid. */
function catalogue(file: string | undefined): void {
  const inForce = file === undefined ? DEFAULT_CATALOGUE : readCatalogueFile(file);
  printResult(JSON.stringify(encodeCatalogue(inForce), undefined, 2));
}
