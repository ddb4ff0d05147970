/**
 * Compares the static analysis with SMT solvers on random policies: z3 and cvc5 in turn, as far as they are installed.
 *
 *   npm run check -- smt --runs 50000 [--seed N] [--timeout MILLISECONDS]
 *
 * A run is a pair of policies, about which all four questions are asked.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { parseCount, parseRunsAndSeed } from '../../support/check-options.js';
import { type PolicyPair, policyPair } from './arbitraries.js';
import { type Comparison, contradicts, OWN_ANALYSIS, writeScript } from './questions.js';
import { SOLVER_NAMES, Solver, type SolverAnswer } from './solver.js';

const DEFAULT_RUNS = 2_000;
/** Number of runs between two lines of progress. */
const BATCH = 200;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    timeout: { type: 'string', default: '2000' },
  },
});
const { runs, seed } = parseRunsAndSeed(values, DEFAULT_RUNS);
const timeoutMs = parseCount('timeout', values.timeout);

const solvers = SOLVER_NAMES.filter((name) => spawnSync(name, ['--version']).status === 0).map(
  (name) => new Solver(name, timeoutMs),
);
const [anySolver] = solvers;
if (anySolver === undefined) {
  process.stdout.write('skipped: neither z3 nor cvc5 is installed (on Debian: apt-get install z3 cvc5)\n');
} else {
  process.exitCode = (await compareAll()) ? 0 : 1;
}
for (const solver of solvers) solver.close();

async function compareAll(): Promise<boolean> {
  const counts = new Map<string, number>();
  const startedAt = performance.now();
  for (let done = 0; done < runs; done += BATCH) {
    const numRuns = Math.min(BATCH, runs - done);
    const parameters = { seed: seed + done, numRuns };
    const pairs = fc.sample(policyPair(), parameters);
    const outcomes = await Promise.all(pairs.map((pair, index) => compare(pair, done + index, counts)));
    if (outcomes.includes(false)) {
      await shrink(parameters);
      return false;
    }
    const rate = Math.round(((done + numRuns) * 1_000) / (performance.now() - startedAt));
    process.stderr.write(`${done + numRuns} of ${runs} runs, ${rate} per second\n`);
  }
  process.stdout.write(`no contradiction in ${runs} runs, ${2 * runs} policies, seed ${seed}\n`);
  for (const [key, count] of [...counts].sort())
    process.stdout.write(`  ${String(count).padStart(8)}  ${key}\n`);
  return true;
}

/** Compares one pair with one solver, and with the others where it answers `unknown`. */
async function compare(pair: PolicyPair, index: number, counts: Map<string, number>): Promise<boolean> {
  const script = writeScript(pair, OWN_ANALYSIS);
  const answers = await askInTurn(script.text, script.comparisons.length, index);
  let agrees = true;
  for (const [position, comparison] of script.comparisons.entries()) {
    const { answer, solver } = answers[position] as SolverReply;
    if (contradicts(comparison, answer)) {
      agrees = false;
      process.stdout.write(
        `contradicted: ${describe(comparison, answer, solver)}\n${JSON.stringify(pair)}\n`,
      );
    }
    const key = describe(comparison, answer, solver);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return agrees;
}

interface SolverReply {
  readonly answer: SolverAnswer;
  readonly solver: string;
}

async function askInTurn(script: string, count: number, index: number): Promise<readonly SolverReply[]> {
  let replies: readonly SolverReply[] = [];
  for (let turn = 0; turn < solvers.length; turn += 1) {
    const solver = solvers[(index + turn) % solvers.length] as Solver;
    const answers = await solver.ask(script, count);
    replies = answers.map((answer, position): SolverReply => {
      const before = replies[position];
      return before === undefined || before.answer === 'unknown' ? { answer, solver: solver.name } : before;
    });
    if (replies.every(({ answer }) => answer !== 'unknown')) break;
  }
  return replies;
}

/** Describes a comparison: the verdict of the analysis first. */
function describe(
  { question, ours, isApproximate }: Comparison,
  theirs: SolverAnswer,
  solver: string,
): string {
  const note = isApproximate && theirs === 'sat' ? ', proves nothing: dates with patterns or prefixes' : '';
  return `${question}: we ${ours}, ${theirs === 'unknown' ? 'no solver knows' : `${solver} ${theirs}`}${note}`;
}

/** Repeats the batch one by one, and prints the smallest pair that a solver contradicts. */
async function shrink(parameters: { readonly seed: number; readonly numRuns: number }): Promise<void> {
  const property = fc.asyncProperty(policyPair(), async (pair) => {
    const { text, comparisons } = writeScript(pair, OWN_ANALYSIS);
    for (const solver of solvers) {
      const answers = await solver.ask(text, comparisons.length);
      for (const [index, comparison] of comparisons.entries()) {
        const answer = answers[index] as SolverAnswer;
        if (!contradicts(comparison, answer)) continue;
        throw new Error(`${comparison.question}: we ${comparison.ours}, ${solver.name} ${answer}\n${text}`);
      }
    }
  });
  const { counterexample, errorInstance } = await fc.check(property, parameters);
  const [pair] = counterexample ?? [];
  process.stdout.write(`${JSON.stringify(pair?.first)}\n${JSON.stringify(pair?.second)}\n`);
  process.stdout.write(`${errorInstance instanceof Error ? errorInstance.message : ''}\n`);
  process.stdout.write(`contradicted; repeat with --seed ${parameters.seed} --runs ${parameters.numRuns}\n`);
}
