/** Reads the conformance vectors that the package contains. The build writes them: the files of `test/vectors/v1`, compressed. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** The path of this file in CommonJS. */
declare const __filename: string | undefined;

/** The name of the file in `dist`: a JSON array of the vector files. */
const NAME = 'vectors-v1.json.br';

const HERE = typeof __filename === 'string' ? pathToFileURL(__filename) : import.meta.url;

/**
 * Reads the vector files of version 1 of the language.
 *
 * @throws {Error} If the vectors cannot be read.
 */
export async function readPackagedFiles(): Promise<readonly unknown[]> {
  const json = await promisify(brotliDecompress)(await readFileNearby());
  // The build writes an array.
  return JSON.parse(json.toString()) as readonly unknown[];
}

/** Reads the file next to this module in the package; in a checkout, from the build. */
async function readFileNearby(): Promise<Buffer> {
  try {
    return await readFile(new URL(NAME, HERE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readFile(new URL(`../../dist/${NAME}`, HERE));
  }
}
