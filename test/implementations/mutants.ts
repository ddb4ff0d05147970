/**
 * Makes one-line mutants of the implementations in Python and Go, runs the vectors against each, and reports those that survive. Mutants
 * that `equivalent-mutants.json` lists are not run: no query shows a difference.
 *
 *   npm run check -- implementation-mutants [--count 40] [--seed 27] [--only python]
 *   npm run check -- implementation-mutants --file impl.py [--command "python3 impl.py"] [--build "go build -o impl ."]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runConformance } from '../../src/cli/conformance/run-conformance.js';
import { parseCount, parseSeed, selectNames } from '../support/check-options.js';
import { readVectorFiles } from '../vectors/vector-files.js';
import { IMPLEMENTATIONS, sourcesOf, whyAbsent } from './implementations.js';
import { applyMutant, listMutants, shuffleMutants } from './mutate.js';

/** How long a response may take: mutants can loop. */
const TIMEOUT_MS = 5_000;

/** How long a mutant may take to start. */
const START_TIMEOUT_MS = 20_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '27' },
    only: { type: 'string' },
    file: { type: 'string' },
    command: { type: 'string' },
    build: { type: 'string' },
  },
});
const count = parseCount('count', values.count);
const seed = parseSeed(values.seed);

/** Mutants that are equivalent for one reason. */
interface EquivalentMutants {
  readonly reason: string;
  /** As the check prints them. */
  readonly mutants: readonly string[];
}

const equivalent = new Set(
  (
    JSON.parse(
      readFileSync(new URL('equivalent-mutants.json', import.meta.url), 'utf8'),
    ) as readonly EquivalentMutants[]
  ).flatMap(({ mutants }) => mutants),
);
const vectors = readVectorFiles().flatMap((file) => file.vectors);

interface Target {
  readonly name: string;
  readonly sources: string;
  /** The mutated files, by name. */
  readonly files: readonly string[];
  readonly build?: string;
  readonly command: string;
}

let survived = 0;
for (const target of targets()) survived += await mutate(target);
process.exitCode = survived === 0 ? 0 : 1;

function targets(): readonly Target[] {
  const { file, build } = values;
  if (file !== undefined) {
    const name = basename(file);
    const { command = `python3 ${name}` } = values;
    const target = { name, sources: dirname(resolve(file)), files: [name], command };
    return [build === undefined ? target : { ...target, build }];
  }
  const mutated = IMPLEMENTATIONS.filter(({ extension }) => extension !== undefined);
  const selected = selectNames(
    'implementation',
    values.only,
    mutated.map(({ name }) => name),
  );
  return mutated.flatMap(({ extension, ...implementation }) => {
    if (!selected.includes(implementation.name)) return [];
    const reason = whyAbsent(implementation);
    if (reason !== undefined) process.stdout.write(`${reason}\n`);
    if (reason !== undefined) return [];
    const sources = sourcesOf(implementation);
    const files = readdirSync(sources).filter(
      (name) => extname(name) === extension && !/_test\.go$|^test_/.test(name),
    );
    return [{ ...implementation, sources, files }];
  });
}

/** Runs the mutants of an implementation. @returns How many survive. */
async function mutate({ name, sources, files, build, command }: Target): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-mutants-'));
  cpSync(sources, folder, { recursive: true });
  const texts = new Map(files.map((file) => [file, readFileSync(join(sources, file), 'utf8')]));
  const counts = { killed: 0, invalid: 0, survived: 0, equivalent: 0 };
  try {
    const unchanged = await runVectors(folder, command, build);
    if (unchanged !== undefined)
      throw new Error(`${name} must pass all vectors without a change: ${unchanged}`);
    const all = [...texts].flatMap(([file, text]) =>
      listMutants(text, file.endsWith('.go')).map((mutant) => ({ ...mutant, file })),
    );
    for (const { file, ...mutant } of shuffleMutants(all, seed)) {
      if (counts.killed + counts.survived >= count) break;
      const shown = `${file}:${mutant.line} ${mutant.before.trim()}  →  ${mutant.after.trim()}`;
      if (equivalent.has(shown)) {
        counts.equivalent += 1;
        continue;
      }
      const text = texts.get(file) ?? '';
      writeFileSync(join(folder, file), applyMutant(text, mutant));
      const reason = await runVectors(folder, command, build);
      writeFileSync(join(folder, file), text);
      const outcome = reason === undefined ? 'survived' : reason.startsWith('build') ? 'invalid' : 'killed';
      counts[outcome] += 1;
      process.stdout.write(`${outcome.padEnd(9)}${shown}${outcome === 'killed' ? `  (${reason})` : ''}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.stdout.write(
    `${name}: ${counts.killed} killed, ${counts.survived} survived, ${counts.equivalent} equivalent, ${counts.invalid} do not compile (seed ${seed})\n`,
  );
  return counts.survived;
}

/** Runs the vectors. @returns Why they fail; `undefined` if all pass. */
async function runVectors(
  folder: string,
  command: string,
  build: string | undefined,
): Promise<string | undefined> {
  if (build !== undefined) {
    const { status } = spawnSync('sh', ['-c', build], { cwd: folder, stdio: 'ignore' });
    if (status !== 0) return 'build failed';
  }
  const quiet = `cd '${folder}' && ${command} 2> /dev/null`;
  const { conforms, vectorFailures, stopped } = await runConformance(
    {
      command: quiet,
      timeoutMs: TIMEOUT_MS,
      startTimeoutMs: START_TIMEOUT_MS,
      maxCrashes: 1,
      maxTimeouts: 1,
    },
    { vectors, runs: 0, stopAtFirstFailure: true },
  );
  return conforms ? undefined : (vectorFailures[0]?.vector.id ?? stopped ?? 'unknown');
}
