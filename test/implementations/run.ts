/**
 * Runs each independent implementation through `proviso conformance`: the vectors of the parts that it has, and random scenarios, 100,000 by default.
 * Without its toolchain, an implementation is skipped; it is an error if `--only` names it, or if all are skipped.
 *
 *   npm run check -- implementations [--only python] [--runs 100000] [--seed N]
 */
import { parseArgs } from 'node:util';
import { selectNames } from '../support/check-options.js';
import { build, conforms, IMPLEMENTATIONS, whyAbsent } from './implementations.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
});
const { only, runs, seed } = values;
const selected = selectNames(
  'implementation',
  only,
  IMPLEMENTATIONS.map(({ name }) => name),
);
const options = ['--runs', runs, ...(seed === undefined ? [] : ['--seed', seed])];

let ran = 0;
for (const implementation of IMPLEMENTATIONS) {
  if (!selected.includes(implementation.name)) continue;
  const reason = whyAbsent(implementation);
  if (reason !== undefined) {
    process.stdout.write(`${reason}\n`);
    if (only !== undefined) process.exitCode = 1;
    continue;
  }
  ran += 1;
  if (!build(implementation) || !conforms(implementation, options)) process.exitCode = 1;
}
if (ran === 0) process.exitCode = 1;
