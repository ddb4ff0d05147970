/** Installs versions of Node from the registry (package `node`), for checks on each supported version. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The supported versions of Node. */
export const SUPPORTED_NODES = ['20', '22', '24'];

/**
 * Installs a version of Node into a separate folder.
 *
 * @param folder - Contains a folder for each version.
 * @returns The folder of the executable.
 */
export function installNode(version: string, folder: string): string {
  const prefix = join(folder, version);
  const { status } = spawnSync('npm', ['install', '--prefix', prefix, '--no-save', `node@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`Node ${version} cannot be installed`);
  return join(prefix, 'node_modules', 'node', 'bin');
}
