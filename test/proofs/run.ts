/**
 * Compiles the proofs with Coq, lists the theorems with their assumptions, and runs the extracted semantics through
 * `proviso conformance`. Skipped where Coq is not installed.
 *
 *   npm run check -- proofs [--runs 100000] [--seed N]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, conforms, EXTRACTED, whyAbsent } from '../implementations/implementations.js';
import { PROOFS, theorems, theoryFiles } from './theorems.js';

/** Axioms that theorems may depend on: none. */
const ALLOWED_AXIOMS: readonly string[] = [];

/** Commands that leave a statement without a proof, or switch off a check of Coq. */
const FORBIDDEN =
  /\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset Guard Checking)\b/;

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const { runs, seed } = values;

const reason = whyAbsent(EXTRACTED);
if (reason !== undefined) print(`${reason}; Debian: apt-get install coq ocaml-findlib`);
else {
  const options = ['--runs', runs, ...(seed === undefined ? [] : ['--seed', seed])];
  const isAccepted =
    theoryFiles().every(assertNoGaps) &&
    build(EXTRACTED) &&
    checkAssumptions() &&
    conforms(EXTRACTED, options);
  process.exitCode = isAccepted ? 0 : 1;
}

function assertNoGaps(file: string): boolean {
  const text = readFileSync(join(PROOFS, file), 'utf8');
  const [forbidden] = FORBIDDEN.exec(text) ?? [];
  if (forbidden !== undefined) print(`${file} must not contain \`${forbidden}\``);
  return forbidden === undefined;
}

/** Prints each theorem with its assumptions, and compares them with the allowed axioms. */
function checkAssumptions(): boolean {
  const listed = theorems();
  const modules = [...new Set(listed.map(({ module }) => module))].join(' ');
  const questions = listed.map(({ module, name }) => `Print Assumptions ${module}.${name}.`);
  const cwd = join(PROOFS, 'build');
  writeFileSync(
    join(cwd, 'Assumptions.v'),
    [`From Proviso Require ${modules}.`, ...questions, ''].join('\n'),
  );
  const options = ['-q', '-R', '.', 'Proviso', 'Assumptions.v'];
  const { status, stdout: output, stderr } = spawnSync('coqc', options, { cwd, encoding: 'utf8' });
  if (status !== 0) print(stderr);
  if (status !== 0) return false;
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
