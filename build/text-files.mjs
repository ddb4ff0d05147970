/** Loads text files as modules, as the bundler does, for scripts that run the sources directly: `tsx --import ./build/text-files.mjs`. */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';

const TEXT = /\.(?:sql|css|svg|browser\.js)$/;

if (!import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`);

/** Node module hook: a text file is a module whose default export is its text. */
export async function load(url, context, nextLoad) {
  const [path] = url.split('?');
  if (!TEXT.test(path)) return await nextLoad(url, context);
  const text = await readFile(new URL(path), 'utf8');
  return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)};` };
}
