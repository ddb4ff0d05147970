/** The independent implementations of the language, and how each one is run. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deviation } from '../../src/testing/deviations.js';

/** An implementation of the protocol of `proviso conformance`. */
export interface ImplementationFolder {
  readonly name: string;
  /** The folder that contains its sources, relative to this one. */
  readonly folder: string;
  /** A shell command, run in the folder of its sources, that succeeds if its toolchain is installed. */
  readonly toolchain: string;
  /** The shell command that builds it, run in the folder of its sources or in a copy; absent for a script. */
  readonly build?: string;
  /** The shell command that starts it, run in the same folder. */
  readonly command: string;
  /** The parts of the language that it does not implement, as `--without` names them. Default: none. */
  readonly without?: readonly Deviation[];
  /** The extension of the sources that are mutated; absent where the implementation is extracted from proofs. */
  readonly extension?: '.py' | '.go';
}

/** The path of the built CLI. */
const CONFORMANCE_COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The semantics of the proofs, which defines neither the problems of queries nor patterns nor canonical texts. */
export const EXTRACTED: ImplementationFolder = {
  name: 'Coq',
  folder: '../proofs',
  toolchain: 'coqc -v && ocamlfind ocamlopt -version',
  build: 'sh build.sh',
  command: 'build/driver',
  without: ['problems', 'patterns', 'canonical'],
};

export const IMPLEMENTATIONS: readonly ImplementationFolder[] = [
  {
    name: 'Python',
    folder: 'python',
    // Compiles and links what matching needs, with g++ and RE2.
    toolchain: 'python3 -c "import pattern; pattern._library()"',
    command: 'python3 impl.py',
    extension: '.py',
  },
  {
    name: 'Go',
    folder: 'go',
    toolchain: 'go version',
    build: 'go build -o impl .',
    command: './impl',
    extension: '.go',
  },
  EXTRACTED,
];

/** Returns the folder of an implementation's sources. */
export function sourcesOf({ folder }: ImplementationFolder): string {
  return join(HERE, folder);
}

/** Returns why an implementation cannot be run, or `undefined`. */
export function whyAbsent(implementation: ImplementationFolder): string | undefined {
  const { name, toolchain } = implementation;
  if (!existsSync(sourcesOf(implementation))) return `${name}: skipped, not in this checkout`;
  const { status } = spawnSync('sh', ['-c', toolchain], { cwd: sourcesOf(implementation), stdio: 'ignore' });
  return status === 0
    ? undefined
    : `${name}: skipped, its toolchain is not installed (\`${toolchain}\` fails)`;
}

/** Builds an implementation in the folder of its sources. @returns Whether that succeeded. */
export function build(implementation: ImplementationFolder): boolean {
  const { build: command } = implementation;
  if (command === undefined) return true;
  return spawnSync('sh', ['-c', command], { cwd: sourcesOf(implementation), stdio: 'inherit' }).status === 0;
}

/** Runs a built implementation through `proviso conformance`, which prints the summary. @returns Whether it conforms. */
export function conforms(implementation: ImplementationFolder, options: readonly string[]): boolean {
  const { command, without = [] } = implementation;
  const deviations = without.flatMap((deviation) => ['--without', deviation]);
  const args = [CONFORMANCE_COMMAND, 'conformance', '--command', command, ...deviations, ...options];
  const cwd = sourcesOf(implementation);
  return spawnSync(process.execPath, args, { cwd, stdio: 'inherit' }).status === 0;
}
