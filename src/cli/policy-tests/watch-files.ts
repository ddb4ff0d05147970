/** Runs an action again after changes of its files, and after new test files. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { findStats } from './find-stats.js';
import { isTestFile } from './find-test-files.js';

/** The files that an action depends on, and the folders in which a new test file would matter. */
export interface WatchedFiles {
  readonly files: readonly string[];
  /** Absolute paths. */
  readonly folders: readonly string[];
}

interface FolderWatcher {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

/** Editors write a file in several steps. */
const SETTLE_MS = 50;

/**
 * Runs the action, and again after changes of its files and after new test files or folders in its folders, until SIGINT or SIGTERM. Changes within 50 ms
 * lead to one run.
 *
 * @param action - Returns its files, which may be others each time.
 * @param onWatching - Called after each run of the action, once its files are watched.
 */
export async function watchFiles(
  action: () => WatchedFiles,
  onWatching: (watched: WatchedFiles) => void,
): Promise<void> {
  const watchers = new Map<string, FolderWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let files = new Set<string>();
  let folders = new Set<string>();
  /** Folders to watch once they exist. */
  let missing: readonly string[] = [];

  const onChange = (folder: string, name: string | null) => {
    const path = name === null ? undefined : join(folder, name);
    const matters =
      path === undefined ||
      files.has(path) ||
      (folders.has(folder) && (isTestFile(path) || isFolder(path))) ||
      missing.some((one) => one === path || one.startsWith(path + sep));
    if (!matters) return;
    clearTimeout(timer);
    timer = setTimeout(run, SETTLE_MS);
  };

  const run = () => {
    const watched = action();
    files = new Set(watched.files.map((file) => resolve(file)));
    folders = new Set(watched.folders);
    // Folders instead of files: an editor may replace a file, and a missing file may be created.
    const wanted = [...new Set([...folders, ...[...files].map(dirname)])];
    missing = wanted.filter((folder) => !isFolder(folder));
    const needed = new Set(wanted.map(nearestFolder));
    for (const [folder, { watcher, identity }] of watchers) {
      // A watcher reports nothing about a folder that replaces the removed one.
      if (needed.has(folder) && identity === identityOf(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of needed) {
      const identity = identityOf(folder);
      if (watchers.has(folder) || identity === undefined) continue;
      const watcher = watch(folder, (_event, name) => onChange(folder, name));
      // The folder was removed.
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, { watcher, identity });
    }
    onWatching(watched);
  };

  run();
  await new Promise<void>((stop) => {
    process.once('SIGINT', () => stop()).once('SIGTERM', () => stop());
  });
  clearTimeout(timer);
  for (const { watcher } of watchers.values()) watcher.close();
}

function isFolder(path: string): boolean {
  return identityOf(path) !== undefined;
}

/** Returns the path, or the nearest folder above it that exists. */
function nearestFolder(path: string): string {
  const parent = dirname(path);
  return isFolder(path) || parent === path ? path : nearestFolder(parent);
}

/** Returns what distinguishes a folder from another one that replaces it; `undefined` where there is no folder. */
function identityOf(path: string): string | undefined {
  const stats = findStats(path);
  // A new folder may have the inode of a removed one.
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : undefined;
}
