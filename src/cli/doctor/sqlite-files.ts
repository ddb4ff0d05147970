/** Checks the files of a SQLite store, and the space on their disk. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Finding, findingsAbout } from './finding.js';

const GROUP_AND_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const MODE = 0o777;
const MIB = 1_048_576;
const LEAST_FREE = 64 * MIB;
const ENOUGH_FREE = 1_024 * MIB;
/** A backup writes one copy of the database. `proviso encrypt` rewrites it with VACUUM, which writes a temporary copy and the log. */
const COPIES = 2;

/** The files of a store: SQLite writes its log next to it. */
function filesOf(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`].filter(existsSync);
}

/** Checks that only the owner has access to the files. Windows has no such modes. */
export function checkModes(path: string, platform: NodeJS.Platform = process.platform): readonly Finding[] {
  const { ok, warn, fail } = findingsAbout('file permissions');
  if (platform === 'win32') return [ok('not checked: Windows has no modes of files')];
  const findings = filesOf(path).flatMap((file) => {
    const mode = statSync(file).mode & MODE;
    return (mode & GROUP_AND_OTHERS) === 0
      ? []
      : [
          fail(
            `${file} has mode ${toOctal(mode)}`,
            `it must be accessible to its owner only: chmod 600 ${file}`,
          ),
        ];
  });
  const folder = dirname(path);
  const folderMode = statSync(folder).mode & MODE;
  if ((folderMode & WRITABLE_BY_OTHERS) !== 0)
    findings.push(
      warn(
        `${folder} has mode ${toOctal(folderMode)}, so that other users may create or replace files of the store`,
        `chmod go-w ${folder}`,
      ),
    );
  return findings.length > 0 ? findings : [ok('the files of the store are accessible to their owner only')];
}

/** Checks the free space on the disk of a store, which may not exist yet. */
export function checkDisk(path: string): Finding {
  const { bavail, bsize } = statfsSync(existingFolderOf(path));
  const size = filesOf(path).reduce((sum, file) => sum + statSync(file).size, 0);
  return judgeDisk(bavail * bsize, size);
}

/** Returns the folder of a file, or the one in which it is to be created. */
function existingFolderOf(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : existingFolderOf(folder);
}

/** Judges free space by itself, and relative to the size of the store. In bytes. */
export function judgeDisk(free: number, size: number): Finding {
  const { ok, warn, fail } = findingsAbout('disk');
  const found = `${toMib(free)} free, the store has ${toMib(size)}`;
  if (free < LEAST_FREE)
    return fail(
      found,
      `at least ${toMib(LEAST_FREE)} must be free, or writes fail soon: free space or move the store`,
    );
  if (free < COPIES * size)
    return warn(found, `${COPIES} times the size of the store must be free for backup and encrypt`);
  return free < ENOUGH_FREE ? warn(found, `${toMib(ENOUGH_FREE)} should be free for growth`) : ok(found);
}

function toOctal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}

function toMib(bytes: number): string {
  return `${Math.ceil(bytes / MIB).toLocaleString('en')} MiB`;
}
