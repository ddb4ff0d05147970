/** Reads the Coq sources: the files in the order of their dependencies, and the names of their theorems. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A theorem. Lemmas are steps of proofs, and are not listed. */
export interface Theorem {
  /** The file's name without its extension, which is the name of its Coq module. */
  readonly module: string;
  readonly name: string;
}

/** The folder of this file. */
export const PROOFS = fileURLToPath(new URL('.', import.meta.url));

/** The files that `_CoqProject` lists, each after those that it imports; paths from {@link PROOFS}. */
export function theoryFiles(): readonly string[] {
  return readFileSync(join(PROOFS, '_CoqProject'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('.v'));
}

/** The theorems of all files, in order. */
export function theorems(): readonly Theorem[] {
  return theoryFiles().flatMap((path) => {
    const text = readFileSync(join(PROOFS, path), 'utf8');
    return [...text.matchAll(/^ *Theorem (\w+)/gm)].map(([, name = '']) => ({
      module: basename(path, '.v'),
      name,
    }));
  });
}
