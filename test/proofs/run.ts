/**
 * Compiles the proofs with Coq, lists the theorems with their assumptions, and compares the extracted semantics with
 * the engine on the vectors and on random scenarios. Skipped where Coq is not installed.
 *
 *   npm run check -- proofs [--runs 100000] [--seed N]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { re2js } from '../../src/index.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import { scenario } from '../../src/testing/index.js';
import { toJsonScenario } from '../../src/testing/json-scenario.js';
import { compareOutcome, type Outcome, type Vector } from '../../src/testing/vector.js';
import { engineEvaluator } from '../conformance/engine-evaluator.js';
import { readVectorFiles } from '../vectors/vector-files.js';
import { PROOFS, theorems, theoryFiles } from './theorems.js';

/** Axioms that theorems may depend on: none. */
const ALLOWED_AXIOMS: readonly string[] = [];

/** Commands that leave a statement without a proof, or switch off a check of Coq. */
const FORBIDDEN =
  /\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset Guard Checking)\b/;

const BATCH = 500;

const evaluateWithEngine = engineEvaluator(cachePatterns(re2js));

/** The input and the expected outcome of one comparison. */
type Comparison = Pick<Vector, 'query' | 'credentials' | 'scopes' | 'at' | 'catalogue' | 'expect'>;

const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const runs = Number(values.runs ?? 100_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
if (!Number.isSafeInteger(runs) || !Number.isSafeInteger(seed)) {
  throw new TypeError('--runs and --seed must be integers');
}

if (!isInstalled('coqc')) {
  print('skipped: Coq is not installed (Debian: apt-get install coq)');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-proofs-'));
  try {
    process.exitCode = (await checkProofs(folder)) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkProofs(folder: string): Promise<boolean> {
  cpSync(join(PROOFS, 'theories'), folder, { recursive: true });
  for (const file of theoryFiles()) {
    if (!assertNoGaps(file) || compileTheory(basename(file), folder) === undefined) return false;
  }
  if (!checkAssumptions(folder)) return false;
  if (!isInstalled('ocamlfind')) {
    print(
      'The comparison with the engine is skipped: OCaml is not installed (Debian: apt-get install ocaml-findlib)',
    );
    return true;
  }
  cpSync(join(PROOFS, 'driver'), folder, { recursive: true });
  const sources = ['semantics.mli', 'semantics.ml', 'json.ml', 'driver.ml'];
  const options = ['ocamlopt', '-w', '-a', '-o', 'driver', ...sources];
  const { status } = spawnSync('ocamlfind', options, { cwd: folder, stdio: 'inherit' });
  return status === 0 && (await compareWithEngine(join(folder, 'driver')));
}

/** Compiles a file of the folder. Returns its output; `undefined` where it does not compile. */
function compileTheory(file: string, folder: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('coqc', ['-q', '-R', '.', 'Proviso', file], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  print(`${file} does not compile:\n${stderr}`);
  return undefined;
}

function assertNoGaps(file: string): boolean {
  const text = readFileSync(join(PROOFS, file), 'utf8');
  const [forbidden] = FORBIDDEN.exec(text) ?? [];
  if (forbidden !== undefined) print(`${file} must not contain \`${forbidden}\``);
  return forbidden === undefined;
}

/** Prints each theorem with its assumptions, and compares them with the allowed axioms. */
function checkAssumptions(folder: string): boolean {
  const listed = theorems();
  const modules = [...new Set(listed.map(({ module }) => module))].join(' ');
  const questions = listed.map(({ module, name }) => `Print Assumptions ${module}.${name}.`);
  writeFileSync(
    join(folder, 'Assumptions.v'),
    [`From Proviso Require ${modules}.`, ...questions, ''].join('\n'),
  );
  const output = compileTheory('Assumptions.v', folder);
  if (output === undefined) return false;
  const reports = output.split(/^(?=Closed under the global context|Axioms:)/m);
  if (reports.length !== listed.length) {
    print(`Coq reported the assumptions of ${reports.length} theorems, of ${listed.length}`);
    return false;
  }
  let accepted = true;
  for (const [index, { module, name }] of listed.entries()) {
    const axioms = [...(reports[index] ?? '').matchAll(/^(\S+) :/gm)].map(([, axiom = '']) => axiom);
    const isAccepted = axioms.every((axiom) => ALLOWED_AXIOMS.includes(axiom));
    print(`${`${module}.${name}`.padEnd(64)}${axioms.length === 0 ? 'no axioms' : axioms.join(', ')}`);
    if (!isAccepted) print('  depends on an axiom that is not listed in `ALLOWED_AXIOMS`');
    accepted &&= isAccepted;
  }
  print(`${listed.length} theorems`);
  return accepted;
}

/** Compares the extracted semantics with the vectors, and with the engine on random scenarios. */
async function compareWithEngine(driver: string): Promise<boolean> {
  const child = spawn(driver, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const respond = responder(child);
    const vectors = readVectorFiles().flatMap((file) => file.vectors);
    const comparable = vectors.filter(isComparable);
    for (const vector of comparable) {
      if (!(await agree([vector], respond))) return false;
    }
    print(`vectors: ${comparable.length} of ${vectors.length} compared, all pass`);

    let drawn = 0;
    let compared = 0;
    while (compared < runs) {
      const batch = fc.sample(scenario(), { numRuns: BATCH, seed: seed + drawn }).map(toComparison);
      const kept = batch.filter(isComparable).slice(0, runs - compared);
      if (!(await agree(kept, respond))) return false;
      drawn += BATCH;
      compared += kept.length;
    }
    print(`random scenarios: ${compared} compared, of ${drawn}; seed ${seed}; no difference`);
    print('not compared: queries that are rejected by parsing or by a limit, and queries with `matchRegex`');
    return true;
  } finally {
    child.kill();
  }
}

function toComparison(drawn: Parameters<typeof toJsonScenario>[0]): Comparison {
  const { query, credentials, context } = toJsonScenario(drawn);
  // A result is JSON by construction, which its type does not express.
  const expect = evaluateWithEngine(query, credentials, context) as Comparison['expect'];
  return { query, credentials, ...context, expect };
}

/** The semantics evaluates valid queries, without patterns and limits. */
function isComparable({ query, expect }: Comparison): boolean {
  const isRejected = 'error' in expect && expect.error.code !== 'insufficient_scope';
  return !isRejected && !JSON.stringify(query).includes('"matchRegex"');
}

async function agree(comparisons: readonly Comparison[], respond: Responder): Promise<boolean> {
  const requests = comparisons.map(({ expect: _expect, ...request }) => ({ method: 'evaluate', ...request }));
  const responses = await respond(requests);
  for (const [index, response] of responses.entries()) {
    const comparison = comparisons[index] as Comparison;
    const { holds, differences } = differencesOf(comparison, response);
    if (holds) continue;
    print(
      `the extracted semantics differs:\n${JSON.stringify(comparison, null, 2)}\n  ${differences.join('\n  ')}`,
    );
    return false;
  }
  return true;
}

function differencesOf(
  { expect }: Comparison,
  response: string,
): { holds: boolean; differences: readonly string[] } {
  const outcome = JSON.parse(response) as Outcome | { readonly unsupported: string };
  if ('unsupported' in outcome) return { holds: false, differences: [`unsupported: ${outcome.unsupported}`] };
  const verdict = compareOutcome(expect, outcome);
  return { holds: verdict.holds, differences: verdict.holds ? [] : verdict.differences };
}

/** Sends requests, and returns the lines of the responses. */
type Responder = (requests: readonly object[]) => Promise<readonly string[]>;

function responder({ stdin, stdout }: ChildProcess): Responder {
  if (stdin === null || stdout === null) throw new Error('the driver was started without pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return async (requests) => {
    for (const [id, request] of requests.entries()) stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    const responses: string[] = [];
    while (responses.length < requests.length) {
      const { done, value } = await lines.next();
      if (done === true) throw new Error('the driver ended before it responded');
      responses.push(value);
    }
    return responses;
  };
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['-version']).error === undefined;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
