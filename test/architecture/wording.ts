/**
 * Counts phrases in comments and documentation that are not plain technical English (see CONTRIBUTING, Voice).
 *
 *   npm run check -- wording [--list]     `--list` prints each occurrence
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Phrases that are often used in a coined sense. Ordinary uses count as well, so that the count is never too low. */
const PHRASES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['told, tells, telling', /\b(?:is|are|was|were|be|been|has|had|have)? ?(?:told|tells|telling|tell)\b/giu],
  ['speaks for', /\b(?:speaks?|spoken|speaking|spoke|speakers?)\b/giu],
  ['whoever', /\b(?:whoever|whomever|whosoever)\b/giu],
  ['somebody, nobody, anybody', /\b(?:somebody|nobody|anybody|everybody|someone else's)\b/giu],
  ['is none, is one', /(?<!there )\b(?:is|are|that) (?:none|no one|not one|one)\b(?=[.,;:)]|$)/giu],
  ['beside', /\bbeside\b/giu],
  ['stands', /\b(?:stands?|stood|standing)\b(?! in\b)/giu],
  ['of its own', /\bof (?:its|their|his|her|our|one’s|one's) own\b/giu],
  [
    'who asks',
    /\b(?:who|what|which) (?:asks?|asked|is asked|was asked|was read|is read|reads|comes|came)\b/giu,
  ],
  ['made-up', /\bmade[- ]up\b/giu],
  ['is known by', /\b(?:is|are) (?:not )?known (?:by|of|to)\b/giu],
  ['there is nothing', /\bthere (?:is|are) (?:nothing|nobody)\b/giu],
  ['take along', /\b(?:takes?|taken|taking) (?:it |them )?along\b/giu],
  ['answers for', /\banswers? for\b/giu],
];

interface PhraseCount {
  readonly words: number;
  readonly found: readonly { readonly phrase: string; readonly place: string; readonly line: string }[];
}

/** Counts words and phrases in the comments of all sources and in all Markdown. */
function countPhrases(): PhraseCount {
  const files = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'build', 'docs', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n');
  const texts = files
    .filter((path) => /\.(?:ts|tsx|md)$/.test(path) && existsSync(join(ROOT, path)))
    .filter((path) => !path.includes('/generated/') && path !== 'test/architecture/wording.ts')
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, prose: path.endsWith('.md') ? proseOfPage(text) : commentsOf(path, text) };
    });
  const found = texts.flatMap(({ path, prose }) =>
    prose
      .split('\n')
      .flatMap((line) =>
        PHRASES.flatMap(([phrase, pattern]) =>
          [...line.matchAll(pattern)].map(() => ({ phrase, place: path, line: line.trim() })),
        ),
      ),
  );
  const words = texts.reduce((sum, { prose }) => sum + (prose.match(/[\p{L}\p{N}’']+/gu)?.length ?? 0), 0);
  return { words, found };
}

/** The comments of a source file. */
function commentsOf(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, string>();
  const collect = (position: number): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(text, position) ?? []),
      ...(ts.getTrailingCommentRanges(text, position) ?? []),
    ])
      comments.set(pos, text.slice(pos, end));
  };
  const visit = (node: ts.Node): void => {
    if (!ts.isJsxText(node)) {
      collect(node.getFullStart());
      collect(node.getEnd());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...comments.values()].join('\n');
}

/** The text of a Markdown page, without its code. */
function proseOfPage(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { list: { type: 'boolean' } } });
  const { words, found } = countPhrases();
  if (values.list === true)
    for (const { place, phrase, line } of found) process.stdout.write(`${place}: ${phrase}: ${line}\n`);
  for (const [phrase] of PHRASES) {
    const count = found.filter((one) => one.phrase === phrase).length;
    process.stdout.write(`${String(count).padStart(6)}  ${phrase}\n`);
  }
  const rate = (found.length * 1_000) / words;
  process.stdout.write(`${found.length} in ${words} words: ${rate.toFixed(2)} in a thousand\n`);
}
