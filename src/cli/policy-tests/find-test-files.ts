/** Finds policy test files in the files and folders that a command names. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CommandError, EXIT } from '../output.js';

/** The test files, and the folders that were searched for them. */
export interface FoundFiles {
  /** Paths relative to the current folder, in ascending order of the absolute paths. */
  readonly files: readonly string[];
  /** Absolute paths. */
  readonly folders: readonly string[];
}

/** Names of the test files in a folder. */
const TEST_FILE = /\.policy-test\.(?:json|ya?ml)$/;

const READABLE_FILE = /\.(?:json|ya?ml)$/;

/** Returns whether a folder's search finds a file of this name. */
export function isTestFile(name: string): boolean {
  return TEST_FILE.test(name);
}

/**
 * Finds test files. Searches folders and their subfolders, except `node_modules` and hidden ones, for
 * `*.policy-test.json`, `.yaml` and `.yml`.
 *
 * @param paths - Files with any name that ends in `.json`, `.yaml` or `.yml`, and folders.
 * @throws {CommandError} If a path does not exist or is no such file, a folder cannot be read, or no test file is found.
 */
export function findTestFiles(paths: readonly string[]): FoundFiles {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    if (isFolder(path)) searchFolder(resolve(path), files, folders);
    else if (READABLE_FILE.test(path)) files.add(resolve(path));
    else throw new CommandError(`${path}: a test file must end in .json, .yaml or .yml`, EXIT.usage);
  }
  if (files.size === 0) {
    const message = `no test files in ${paths.join(', ')}; their names must end in .policy-test.yaml, .policy-test.yml or .policy-test.json`;
    throw new CommandError(message, EXIT.usage);
  }
  return { files: [...files].sort().map(shortPath), folders: [...folders] };
}

/** Returns a path as the command's output shows it: relative to the current folder. */
function shortPath(path: string): string {
  return relative(process.cwd(), path).replaceAll('\\', '/');
}

function isFolder(path: string): boolean {
  return readOrFail(path, () => statSync(path).isDirectory());
}

function readOrFail<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
      EXIT.usage,
    );
  }
}

function searchFolder(folder: string, files: Set<string>, folders: Set<string>): void {
  folders.add(folder);
  for (const entry of readOrFail(folder, () => readdirSync(folder, { withFileTypes: true }))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') searchFolder(path, files, folders);
    } else if (isTestFile(entry.name)) files.add(path);
  }
}
