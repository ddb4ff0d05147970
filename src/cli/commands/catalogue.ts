/** `proviso catalogue`: the scopes, claims and presets in force, as a file that `serve --catalogue` takes. */
import type { Command } from 'commander';
import { DEFAULT_CATALOGUE, encodeCatalogue } from '../../service/index.js';
import { readCatalogueFile } from '../deployment-files.js';
import { printResult } from '../output.js';

/** Adds the command. */
export function addCatalogue(program: Command): void {
  program
    .command('catalogue')
    .description('print the scopes, claims and presets, as a file that `serve --catalogue` takes')
    .argument('[file]', 'a catalogue to check, and to print with what it extends')
    .addHelpText(
      'after',
      `
A file that begins with "extends": "default" adds to the default catalogue; without it, the file is all that there is.
Ends with 0, or with 2 when the file is not right: then every problem is listed with its place.

Example:
  proviso catalogue > catalogue.json
  proviso catalogue catalogue.json`,
    )
    .action(catalogue);
}

/** Prints the default catalogue, or what a file makes of it. @throws {CommandError} When the file is not right. */
function catalogue(file: string | undefined): void {
  const inForce = file === undefined ? DEFAULT_CATALOGUE : readCatalogueFile(file);
  printResult(JSON.stringify(encodeCatalogue(inForce), undefined, 2));
}
