/** Lets scripts that run the sources as they are import text files as the bundler inlines them: `tsx --import ./build/text-files.mjs`. */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';

const TEXT = /\.(?:sql|css|svg|browser\.js)$/;

if (!import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`);

/** A module hook of Node's: a text file is a module whose default export is its text. */
export async function load(url, context, nextLoad) {
  const [path] = url.split('?');
  if (!TEXT.test(path)) return await nextLoad(url, context);
  const text = await readFile(new URL(path), 'utf8');
  return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)};` };
}
