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
import { findGap, readAssumptions } from './assumptions.js';
import { PROOFS, theorems, theoryFiles } from './theorems.js';

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
  const gap = findGap(readFileSync(join(PROOFS, file), 'utf8'));
  if (gap !== undefined) print(`${file} must not contain \`${gap}\``);
  return gap === undefined;
}

/** Prints each theorem with its assumptions. Returns whether no theorem has assumptions. */
function checkAssumptions(): boolean {
  const listed = theorems();
  const modules = [...new Set(listed.map(({ module }) => module))].join(' ');
  const commands = listed.map(({ module, name }) => `Print Assumptions ${module}.${name}.`);
  const cwd = join(PROOFS, 'build');
  writeFileSync(join(cwd, 'Assumptions.v'), [`From Proviso Require ${modules}.`, ...commands, ''].join('\n'));
  const options = ['-q', '-R', '.', 'Proviso', 'Assumptions.v'];
  const { status, stdout: output, stderr } = spawnSync('coqc', options, { cwd, encoding: 'utf8' });
  if (status !== 0) print(stderr);
  if (status !== 0) return false;
  const reports = readAssumptions(output);
  if (reports.length !== listed.length) {
    print(`Coq reported assumptions for ${reports.length} of ${listed.length} theorems`);
    return false;
  }
  for (const [index, { module, name }] of listed.entries())
    print(`${`${module}.${name}`.padEnd(64)}${reports[index] ?? 'no axioms'}`);
  const accepted = reports.every((report) => report === undefined);
  if (!accepted) print('no theorem may depend on an axiom');
  print(`${listed.length} theorems`);
  return accepted;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
