/** Line breaks. The editor has LF only: with CRLF, the locations of problems would differ from those in the editor. */

/** Replaces CRLF and CR by LF. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Returns the first line break of a text; `undefined` if it has one line. */
export function lineBreakOf(text: string): string | undefined {
  return /\r\n?|\n/.exec(text)?.[0];
}
