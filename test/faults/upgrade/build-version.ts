/** Builds the command of a version: of a commit, or of the files of this checkout with one more migration. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The files and folders from which the command is built. */
const BUILT_FROM = ['src', 'build', 'package.json', 'tsup.config.ts', 'tsconfig.json'];
const MIGRATIONS = 'src/stores/migrate.ts';
/** The migration that makes rollbacks possible: the oldest commit to roll back to is the one that added it. */
const FIRST_COMPATIBLE = 'src/stores/migrations/0008-compatible-from.sql';

const BUILD = `import { build } from 'tsup';
import { SERVER_COMMAND } from './tsup.config.js';
await build({ ...SERVER_COMMAND, config: false, silent: true });
`;

/** Returns the newest release or, before the first one, the first commit to which this version can be rolled back. */
export function defaultPrevious(): string {
  const [release] = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged').split('\n');
  if (release !== undefined && release !== '') return release;
  return git('log', '--diff-filter=A', '--format=%H', '-1', '--', FIRST_COMPATIBLE);
}

/** Builds the command of a commit or tag in a folder, which must not exist, and returns its path. */
export function buildCommit(revision: string, folder: string): string {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', '--format=tar', revision, ...BUILT_FROM], {
    cwd: ROOT,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  return buildIn(folder);
}

/** Builds the command of this checkout with one more migration, and returns its path. @param migration - Source text of an object. */
export function buildNext(migration: string, folder: string): string {
  mkdirSync(folder);
  for (const path of BUILT_FROM) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const file = join(folder, MIGRATIONS);
  const source = readFileSync(file, 'utf8');
  const changed = source.replace(/(?<=export const MIGRATIONS[\s\S]*?)\n\];/, () => `\n  ${migration},\n];`);
  if (changed === source) throw new Error(`${MIGRATIONS} has no list of migrations`);
  writeFileSync(file, changed);
  return buildIn(folder);
}

function buildIn(folder: string): string {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'build-command.ts'), BUILD);
  execFileSync(process.execPath, [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'build-command.ts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(folder, 'dist/server/cli.js');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: ROOT, encoding: 'utf8' }).trim();
}
