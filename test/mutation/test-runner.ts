/**
 * A test runner for Stryker that runs the engine's tests in its own process. Each test file is bundled once, and evaluated again for each
 * mutant, so that mutants share no state of the engine (interned claim paths, caches).
 *
 * Stryker's runner for Vitest starts a worker and loads every module for each mutant: 30 mutants a minute on two cores.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type MutantCoverage,
} from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { build, type Plugin } from 'esbuild';
import { type CollectedTest, collectTests } from './collect-tests.js';
import { ENGINE_TEST_FILES } from './test-files.js';

/** The state that the mutated code reads: the active mutant, and a limit of its executions, which stops endless loops. */
const state: { [Member in keyof InstrumenterContext]?: InstrumenterContext[Member] | undefined } = {};
Reflect.set(globalThis, INSTRUMENTER_CONSTANTS.NAMESPACE, state);

/** The calls by which mutated code counts executions, with the numbers of mutants in quotes. */
const COUNTING = /stryCov_\w+\(("[\d", ]*")\)/g;
const MAX_MUTANTS = 65_536;
const NOTHING = new Float64Array();

/** Replaces each call by increments of a local array, which are faster: the instrumenter's code looks up the test and each mutant by name. */
const countFast = (text: string) =>
  text.replace(
    COUNTING,
    (_call, mutants: string) => `(${mutants.replaceAll(/"(\d+)"/g, 'executions[$1]++')})`,
  );
const withoutCounting = (text: string) => text.replace(COUNTING, '0');

/** Each test file as a script, which evaluates to a function of `require`, `module`, `exports` and `executions`. */
type Scripts = ReadonlyMap<string, Script>;

/**
 * An endless loop is stopped after ten times the executions of the mutant in all tests, instead of Stryker's hundred, which takes minutes in
 * hot loops.
 */
const LIMIT_DIVISOR = 10;
const MIN_HIT_LIMIT = 100_000;

/** Numbers of the workers that Stryker starts first: as many as `concurrency` in the configuration. */
const FIRST_WORKERS: readonly (string | undefined)[] = ['0', '1'];

class InProcessRunner implements TestRunner {
  /** The test files, without counts of executions. */
  #files: Scripts = new Map();
  #coverage: MutantCoverage | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    this.#files = await bundleAll(withoutCounting);
    // Counts before the dry run, which one of the first workers performs: Stryker adds the time that the dry run spends outside of tests to the
    // time limit of each mutant.
    if (FIRST_WORKERS.includes(process.env['STRYKER_MUTATOR_WORKER'])) await this.#countExecutions();
  }

  async dryRun(): Promise<DryRunResult> {
    state.activeMutant = undefined;
    const mutantCoverage = this.#coverage ?? (await this.#countExecutions());
    return { status: DryRunStatus.Complete, tests: await runAll(this.#files), mutantCoverage };
  }

  async #countExecutions(): Promise<MutantCoverage> {
    this.#coverage = await countExecutions(await bundleAll(countFast));
    return this.#coverage;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { testFilter, activeMutant, mutantActivation } = options;
    const hitLimit = options.hitLimit && options.hitLimit / LIMIT_DIVISOR + MIN_HIT_LIMIT;
    state.hitCount = 0;
    state.hitLimit = hitLimit;
    const selected = testFilter && new Set(testFilter);
    const results: TestResult[] = [];
    for (const [file, script] of this.#files) {
      if (testFilter && !testFilter.some((id) => id.startsWith(file))) continue;
      state.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
      const outcome = await runFile(file, script, activeMutant.id, selected, results);
      const hitLimitReached = determineHitLimitReached(state.hitCount, hitLimit);
      if (hitLimitReached) return toMutantRunResult(hitLimitReached);
      if (outcome === 'failed') break;
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests: results });
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];

/** Runs every test, and counts the executions of each mutant in each test, and while modules are evaluated. */
async function countExecutions(files: Scripts): Promise<MutantCoverage> {
  const coverage: MutantCoverage = { static: {}, perTest: {} };
  const executions = new Float64Array(MAX_MUTANTS);
  for (const [file, script] of files) {
    executions.fill(0);
    const tests = load(file, script, executions);
    Object.assign(coverage.static, toCounts(executions));
    for (const test of tests) {
      executions.fill(0);
      await run(test);
      coverage.perTest[test.id] = toCounts(executions);
    }
  }
  return coverage;
}

/** Returns the counts that are not zero, by the numbers of mutants. */
function toCounts(executions: Float64Array): Record<string, number> {
  const counts: Record<string, number> = {};
  executions.forEach((count, mutant) => {
    if (count > 0) counts[mutant] = count;
  });
  return counts;
}

/** Runs every test. */
async function runAll(files: Scripts): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const [file, script] of files) {
    for (const test of load(file, script)) results.push(await run(test));
  }
  return results;
}

/**
 * Runs the selected tests of a file with a mutant, until one fails.
 *
 * @param selected - Ids of tests. Default: all.
 * @param results - Receives the results.
 */
async function runFile(
  file: string,
  script: Script,
  mutant: string,
  selected: ReadonlySet<string> | undefined,
  results: TestResult[],
): Promise<'passed' | 'failed'> {
  let tests: readonly CollectedTest[];
  try {
    tests = load(file, script);
  } catch (error) {
    results.push({ ...failed(error), id: file, name: file, timeSpentMs: 0 });
    return 'failed';
  }
  state.activeMutant = mutant;
  for (const test of tests) {
    if (selected && !selected.has(test.id)) continue;
    const result = await run(test);
    results.push(result);
    if (result.status === TestStatus.Failed) return 'failed';
  }
  return 'passed';
}

/**
 * Evaluates a test file and its modules.
 *
 * @param executions - Receives the number of executions of each mutant, if the script counts them.
 */
function load(file: string, script: Script, executions = NOTHING): readonly CollectedTest[] {
  const requireFromFile = createRequire(resolve(file));
  return collectTests(file, (vitest) => {
    const module = { exports: {} };
    const require = (id: string): unknown => (id === 'vitest' ? vitest : requireFromFile(id));
    script.runInThisContext()(require, module, module.exports, executions);
  });
}

async function run({ id, run }: CollectedTest): Promise<TestResult> {
  const start = performance.now();
  let outcome: ReturnType<typeof failed> | { status: TestStatus.Success } = { status: TestStatus.Success };
  try {
    await run();
  } catch (error) {
    outcome = failed(error);
  }
  return { ...outcome, id, name: id, timeSpentMs: performance.now() - start };
}

function failed(error: unknown): { status: TestStatus.Failed; failureMessage: string } {
  return {
    status: TestStatus.Failed,
    failureMessage: error instanceof Error ? error.message : String(error),
  };
}

/** @param transform - Changes the source text of modules. */
async function bundleAll(transform: (text: string) => string): Promise<Scripts> {
  const bundles = ENGINE_TEST_FILES.map(async (file) => {
    const text = await bundle(file, transform);
    return [file, new Script(text, { filename: `${file}.cjs` })] as const;
  });
  return new Map(await Promise.all(bundles));
}

/** Returns the source text of a test file and of the modules that it imports, without packages, as a function expression. */
async function bundle(file: string, transform: (text: string) => string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    // The copy of the project with the mutated code. By default, esbuild uses the folder in which the process was started.
    absWorkingDir: process.cwd(),
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [transformModules(transform)],
  });
  const [output] = outputFiles;
  return `(function (require, module, exports, executions) {${output?.text ?? ''}\n})`;
}

/** Also replaces `import.meta.url`, which CommonJS does not have, by the address of the module. */
function transformModules(transform: (text: string) => string): Plugin {
  return {
    name: 'transform-modules',
    setup({ onLoad }) {
      onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, ({ path }) => {
        const text = transform(readFileSync(path, 'utf8'));
        const url = JSON.stringify(pathToFileURL(path).href);
        return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
      });
    },
  };
}
