/** Writes the output files of commands. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError, EXIT } from '../output.js';

/** Writes a file, and creates the folders above it. @throws {CommandError} If the file cannot be written. */
export function writeFileInFolder(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new CommandError(`${file} cannot be written: ${reason}`, EXIT.usage);
  }
}
