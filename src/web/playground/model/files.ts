/** Opens and saves JSON files: through the File System Access API if the browser has one, otherwise by upload and download. */
import { omitUndefined } from '../../../util/omit-undefined.js';
import { lineBreakOf, withLineFeeds } from './line-breaks.js';

/** A file of the user. */
export interface UserFile {
  readonly name: string;
  /** Allows saving to the same file; absent without the File System Access API. */
  readonly handle?: FileSystemFileHandle;
  /** The line break of the opened file. Default: LF. */
  readonly lineBreak?: string;
}

interface PickerOptions {
  readonly types: readonly { readonly description: string; readonly accept: Record<string, string[]> }[];
  readonly suggestedName?: string;
}

/** The part of the API that TypeScript's library does not declare. */
interface FilePickers {
  readonly showOpenFilePicker?: (options: PickerOptions) => Promise<readonly FileSystemFileHandle[]>;
  readonly showSaveFilePicker?: (options: PickerOptions) => Promise<FileSystemFileHandle>;
}

const MAX_BYTES = 1_000_000;
const REVOKE_AFTER_MS = 60_000;
const TYPE = 'application/json';
const TYPES: PickerOptions['types'] = [{ description: 'JSON', accept: { [TYPE]: ['.json'] } }];

/**
 * Lets the user choose a file, and reads it. Returns `undefined` if the user cancels.
 *
 * @throws {Error} If the file is too large or cannot be read.
 */
export async function openFile(): Promise<(UserFile & { readonly text: string }) | undefined> {
  const { showOpenFilePicker } = globalThis as FilePickers;
  const handle =
    showOpenFilePicker === undefined
      ? undefined
      : (await unlessCanceled(showOpenFilePicker({ types: TYPES })))?.[0];
  const file = showOpenFilePicker === undefined ? await uploadedFile() : await handle?.getFile();
  if (file === undefined) return undefined;
  if (file.size > MAX_BYTES) throw new Error(`${file.name} must not be larger than 1 MB`);
  const text = await file.text();
  return {
    name: file.name,
    text: withLineFeeds(text),
    ...omitUndefined({ handle, lineBreak: lineBreakOf(text) }),
  };
}

/**
 * Saves a text, with the line breaks of the file, to the given file, or to one that the user chooses. Returns the file; `undefined` if the user cancels.
 *
 * @throws {Error} If the file cannot be written.
 */
export async function saveFile(text: string, file: UserFile): Promise<UserFile | undefined> {
  const { showSaveFilePicker } = globalThis as FilePickers;
  const { lineBreak = '\n' } = file;
  const saved = text.replaceAll('\n', lineBreak);
  if (showSaveFilePicker === undefined) {
    download(saved, file.name);
    return file;
  }
  const handle =
    file.handle ?? (await unlessCanceled(showSaveFilePicker({ types: TYPES, suggestedName: file.name })));
  if (handle === undefined) return undefined;
  const stream = await handle.createWritable();
  await stream.write(saved);
  await stream.close();
  return { ...file, name: handle.name, handle };
}

async function unlessCanceled<Value>(picked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await picked;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

function uploadedFile(): Promise<File | undefined> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = `.json,${TYPE}`;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]));
    input.addEventListener('cancel', () => resolve(undefined));
    input.click();
  });
}

function download(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: TYPE }));
  link.download = name;
  link.click();
  // Some browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
