/** Runs an action again after changes of its files, and after new test files. */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isTestFile } from './find-test-files.js';

/** The files that an action depends on, and the folders in which a new test file would matter. */
export interface WatchedFiles {
  readonly files: readonly string[];
  /** Absolute paths. */
  readonly folders: readonly string[];
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
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let files = new Set<string>();
  let folders = new Set<string>();

  const onChange = (folder: string, name: string | null) => {
    const path = name === null ? undefined : join(folder, name);
    const matters =
      path === undefined || files.has(path) || (folders.has(folder) && (isTestFile(path) || isFolder(path)));
    if (!matters) return;
    clearTimeout(timer);
    timer = setTimeout(run, SETTLE_MS);
  };

  const run = () => {
    const watched = action();
    files = new Set(watched.files.map((file) => resolve(file)));
    folders = new Set(watched.folders);
    // Folders instead of files: an editor may replace a file, and a missing file may be created.
    const needed = new Set([...folders, ...[...files].map(dirname)]);
    for (const [folder, watcher] of watchers) {
      if (needed.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of needed) {
      if (watchers.has(folder) || !isFolder(folder)) continue;
      const watcher = watch(folder, (_event, name) => onChange(folder, name));
      // The folder was removed.
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    }
    onWatching(watched);
  };

  run();
  await new Promise<void>((stop) => {
    process.once('SIGINT', () => stop()).once('SIGTERM', () => stop());
  });
  clearTimeout(timer);
  for (const watcher of watchers.values()) watcher.close();
}

function isFolder(path: string): boolean {
  // `statSync` throws for a path through a file.
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
