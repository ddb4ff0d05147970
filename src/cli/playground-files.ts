/** Reads the built playground. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Asset, PlaygroundFiles } from '../http/index.js';

const TYPES: Readonly<Record<string, Asset['type']>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Reads the playground from a folder; `undefined` if it was not built. */
export function readPlaygroundFiles(folder: string): PlaygroundFiles | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const assets = readdirSync(join(folder, 'assets')).flatMap((name): [string, Asset][] => {
    const type = TYPES[extname(name)];
    return type === undefined
      ? []
      : [[name, { type, text: readFileSync(join(folder, 'assets', name), 'utf8') }]];
  });
  return { page: readFileSync(page, 'utf8'), assets: new Map(assets) };
}
