/** Patterns for DuckDB, whose regular expressions are RE2's own. */
import { Untranslatable } from '../refusal.js';

/** What only a table of Unicode's decides, which differs from version to version. */
const BY_TABLE = /\\[pP]/;
const FOLDED = /\(\?[a-zA-Z]*i/;
const BEYOND_ASCII = /[^\0-\x7f]|\\x/;

/**
 * The pattern itself, since it is one of RE2's, in a group: what is no more than characters and anchors DuckDB's optimizer turns into
 * `LIKE`, and there takes `$a` for `^a`.
 *
 * @throws {Untranslatable} `pattern`, where the answer hangs on a version of Unicode, or it matches bytes.
 */
export function toRe2Pattern(pattern: string): string {
  if (/\\C/.test(pattern))
    throw new Untranslatable('pattern', 'A pattern matches characters, never bytes: `\\C`.');
  if (BY_TABLE.test(pattern) || (FOLDED.test(pattern) && BEYOND_ASCII.test(pattern))) {
    const message =
      'What the pattern matches hangs on a table of Unicode’s, of which the database may have another version.';
    throw new Untranslatable('pattern', message);
  }
  return `(${pattern})`;
}
