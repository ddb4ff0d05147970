/** Source coverage of the service processes, from V8 coverage of the built command. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Coverage of one file in one process. */
interface FileCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

interface Report {
  readonly result: readonly FileCoverage[];
}

/** Folder of the command and its chunks. */
const COMMAND = new URL('../../dist/', import.meta.url);
/** The comment that the bundler writes before each source file. */
const SOURCE = /^\/\/ (src\/\S+)$/;
/** The sources of the service; other commands are not fuzzed. */
const SERVICE_SOURCES = /^src\/(?:engine|http|service|stores|system|regex)\//;
const MAX_NAMED = 8;

/** Summarizes coverage. @param folder - Folder of the V8 reports (`NODE_V8_COVERAGE`). */
export function readSourceCoverage(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  const reports = files.flatMap((file) => reportIn(join(folder, file)));
  if (reports.length === 0) return '  no coverage was reported';
  const lines = [...new Set(reports.map(({ url }) => url))].flatMap((url) => {
    const code = readFileSync(fileURLToPath(url), 'utf8');
    const run = new Uint8Array(code.length);
    for (const report of reports) if (report.url === url) markRun(report.functions, run);
    return linesOf(code, run).filter(({ source }) => SERVICE_SOURCES.test(source));
  });
  const reached = lines.filter((line) => line.reached).length;
  const bySource = new Map<string, { missed: number; all: number }>();
  for (const line of lines) {
    const { missed, all } = bySource.get(line.source) ?? { missed: 0, all: 0 };
    bySource.set(line.source, { missed: missed + (line.reached ? 0 : 1), all: all + 1 });
  }
  const worst = [...bySource]
    .map(([source, counted]) => ({ source, ...counted }))
    .filter(({ missed }) => missed > 0)
    .sort((left, right) => right.missed - left.missed)
    .slice(0, MAX_NAMED);
  return [
    `  lines of engine, regex, service, stores, HTTP and system that the service processes ran: ${reached} of ${lines.length} (${((100 * reached) / lines.length).toFixed(1)} %)`,
    `    files with the most lines not run: ${worst.map(({ source, missed, all }) => `${source} ${missed}/${all}`).join(', ')}`,
  ].join('\n');
}

function reportIn(file: string): readonly FileCoverage[] {
  const { result } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return result.filter(({ url }) => url.startsWith(COMMAND.href));
}

/** Marks the ranges that one process ran; inner ranges override outer ones. */
function markRun(functions: FileCoverage['functions'], all: Uint8Array): void {
  const run = new Uint8Array(all.length);
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((left, right) => left.startOffset - right.startOffset || right.endOffset - left.endOffset);
  for (const { startOffset, endOffset, count } of ranges) run.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  for (const [at, was] of run.entries()) if (was === 1) all[at] = 1;
}

interface Line {
  readonly source: string;
  readonly reached: boolean;
}

function linesOf(code: string, run: Uint8Array): Line[] {
  const lines: Line[] = [];
  let source = '';
  let at = 0;
  for (const text of code.split('\n')) {
    source = SOURCE.exec(text)?.[1] ?? source;
    const first = text.search(/[^\s{}();,\]]/);
    // Brackets and comments are not executable.
    if (source !== '' && first >= 0 && !text.startsWith('//', first))
      lines.push({ source, reached: run[at + first] === 1 });
    at += text.length + 1;
  }
  return lines;
}
