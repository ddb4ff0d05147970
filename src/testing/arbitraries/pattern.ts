/** Patterns of `matchRegex`, each with a text that it matches (L18). */
import * as fc from 'fast-check';
import { jsonString } from './json.js';

/** Matching this one on a long claim costs more than a query may (L7). */
const COSTLY = '(?:ab?){60}';
const LONG = 12_000;

/** Each with a text that it matches. */
const SAMPLES: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['a', 'ba'],
  ['^a+$', 'aaa'],
  ['(?i)AB$', 'xab'],
  ['^.$', '😀'],
  ['^..$', 'é😀'],
  ['(?s)^a.b$', 'a\nb'],
  ['(?m)^b$', 'a\nb\nc'],
  ['[^a]', 'ab'],
  ['a|b$', 'cb'],
  ['\\bab\\b', 'é ab é'],
  ['^\\d{4}-\\d{2}$', '2026-06'],
  ['\\pL', 'é'],
  ['^\\w+@example\\.(com|org)$', 'ada@example.org'],
  ['(a+)+$', 'aaaaaaaa'],
  [COSTLY, 'ab'.repeat(60)],
]);

/** Patterns that RE2 accepts: classes, flags, boundaries, astral characters, plain texts, costly ones. */
export function pattern(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...SAMPLES.keys()) },
    { weight: 1, arbitrary: jsonString().map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, 'a')) },
  );
}

/** A text that a pattern of these matches; `how` chooses which, and a few times it is a very long one. */
export function matchedText(regex: string, how: number): string {
  const sample = SAMPLES.get(regex) ?? `a${regex}`;
  const isLong = how % (regex === COSTLY ? 4 : 256) === 1;
  return isLong ? sample.padEnd(LONG, 'ab') : sample;
}
