/**
 * Runs each independent implementation through `proviso conformance`: all vectors and 100,000 random scenarios.
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

for (const implementation of IMPLEMENTATIONS) {
  if (!selected.includes(implementation.name)) continue;
  const reason = whyAbsent(implementation);
  if (reason !== undefined) process.stdout.write(`${reason}\n`);
  else if (!build(implementation) || !conforms(implementation, options)) process.exitCode = 1;
}
