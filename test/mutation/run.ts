/**
 * Mutation testing of the engine, and the list of mutants that no test notices:
 *
 *   npm run check -- mutation [--mutate src/engine/query/parse.ts] [--report-only]
 *
 * `--report-only` reads the report of the last run, which must have had the same `--mutate`. Each survivor needs a reason in `survivors.json`, found
 * by its file and its mutated text, which stay when lines move. Fails on a survivor without a reason, and on a reason whose mutant did not
 * survive.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The part of stryker's report that is read: https://github.com/stryker-mutator/mutation-testing-elements. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** Both from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface Reason {
  readonly reason: string;
  /** The mutated lines by file, from `src/engine/`, with white space collapsed. */
  readonly mutants: Readonly<Record<string, readonly string[]>>;
}

const REPORT = 'reports/mutation.json';
const REASONS = new URL('survivors.json', import.meta.url);
const FOLDER = 'src/engine/';
const SURVIVED = ['Survived', 'NoCoverage'];

const { values } = parseArgs({
  options: { mutate: { type: 'string' }, 'report-only': { type: 'boolean', default: false } },
});
const only = values.mutate === undefined ? [] : ['--mutate', values.mutate];
if (!values['report-only']) {
  rmSync(REPORT, { force: true });
  spawnSync('stryker', ['run', 'test/mutation/stryker.config.json', ...only], {
    stdio: 'inherit',
    // Stryker loads the test runner, which is TypeScript.
    env: { ...process.env, NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import tsx` },
  });
}
if (!existsSync(REPORT)) {
  const advice = values['report-only'] ? 'run the check without --report-only' : 'Stryker failed';
  process.stderr.write(`there is no report in ${REPORT}: ${advice}\n`);
  process.exit(2);
}
process.exitCode = listSurvivors();

function listSurvivors(): number {
  const { files } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
  const reasons = new Map<string, string>();
  for (const { reason, mutants } of JSON.parse(readFileSync(REASONS, 'utf8')) as readonly Reason[]) {
    for (const [file, texts] of Object.entries(mutants))
      for (const text of texts) reasons.set(`${file}: ${text}`, reason);
  }
  const survivors = new Set<string>();
  const faults = new Set<string>();
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const file = path.replace(FOLDER, '');
    for (const mutant of mutants.filter(({ status }) => SURVIVED.includes(status))) {
      const key = `${file}: ${mutatedText(source, mutant)}`;
      const reason = reasons.get(key);
      if (reason === undefined) faults.add(key);
      survivors.add(key);
      process.stdout.write(
        `${path}:${mutant.location.start.line}\n  ${mutatedText(source, mutant)}\n  ${reason ?? 'NO REASON'}\n`,
      );
    }
  }
  const mutated = new Set(Object.keys(files).map((path) => path.replace(FOLDER, '')));
  for (const key of reasons.keys()) {
    const [file = ''] = key.split(': ');
    // A run with --mutate does not test the other files.
    const isTested = values.mutate === undefined || mutated.has(file) || !existsSync(`${FOLDER}${file}`);
    if (!isTested || survivors.has(key)) continue;
    faults.add(key);
    process.stdout.write(`${key}\n  HAS A REASON BUT DID NOT SURVIVE\n`);
  }
  process.stdout.write(`${survivors.size} survivors, ${faults.size} to explain or to remove\n`);
  return faults.size === 0 ? 0 : 1;
}

/** Returns the lines that the mutant changes, in their changed form. */
function mutatedText(source: string, { replacement, location: { start, end } }: Mutant): string {
  const lines = source.split('\n');
  const before = (lines[start.line - 1] ?? '').slice(0, start.column - 1);
  const after = (lines[end.line - 1] ?? '').slice(end.column - 1);
  return `${before}${replacement}${after}`.replace(/\s+/g, ' ').trim();
}
