/** The independent implementations of the language in this folder, and how each one is run. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An implementation that speaks the protocol of `proviso conformance`. */
export interface ImplementationFolder {
  readonly name: string;
  /** Name of the folder that contains its sources. */
  readonly folder: string;
  /** A shell command that succeeds if its toolchain is installed. */
  readonly toolchain: string;
  /** A shell command, run in a folder of its sources before it is started; none for a script. */
  readonly build?: string;
  /** A shell command, run in the same folder. */
  readonly command: string;
  /** The extension of its sources. */
  readonly extension: string;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));

export const IMPLEMENTATIONS: readonly ImplementationFolder[] = [
  {
    name: 'Python',
    folder: 'python',
    toolchain: 'python3 -c "import ctypes.util, sys; sys.exit(not ctypes.util.find_library(\'re2\'))"',
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
];

/** Returns the folder of an implementation's sources. */
export function sourcesOf({ folder }: ImplementationFolder): string {
  return join(HERE, folder);
}

/** Returns why an implementation cannot be run, or `undefined`. */
export function whyAbsent(implementation: ImplementationFolder): string | undefined {
  const { name, toolchain } = implementation;
  if (!existsSync(sourcesOf(implementation))) return `${name}: skipped, not in this checkout`;
  const { status } = spawnSync('sh', ['-c', toolchain], { stdio: 'ignore' });
  return status === 0
    ? undefined
    : `${name}: skipped, its toolchain is not installed (\`${toolchain}\` fails)`;
}
