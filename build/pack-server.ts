/** Packs `proviso-server` next to the tarball of `proviso`; `npm pack` runs it after it has packed `proviso`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toAbsoluteLinks } from './link-readme.js';
import { MANIFEST, ROOT, serverManifest } from './packages.js';

/**
 * Packs the built files with a manifest, a README and the license.
 *
 * @param destination - The folder of the tarball.
 */
export function packServer(destination: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-server-'));
  try {
    cpSync(join(ROOT, 'dist/server'), folder, { recursive: true });
    const readme = readFileSync(join(ROOT, 'build/proviso-server.md'), 'utf8');
    writeFileSync(join(folder, 'README.md'), toAbsoluteLinks(readme, MANIFEST));
    copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(serverManifest(), undefined, 2)}\n`);
    const args = ['pack', '--silent', '--pack-destination', destination];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { npm_config_pack_destination: destination = '.', npm_config_dry_run: isDryRun } = process.env;
  if (isDryRun !== 'true') packServer(resolve(destination));
}
