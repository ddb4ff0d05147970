/**
 * Runs each independent implementation through `proviso conformance`: all vectors and 100,000 random scenarios.
 *
 *   npm run check -- implementations [--only python] [--runs 100000] [--seed N]
 */
import { parseArgs } from 'node:util';
import { build, conforms, IMPLEMENTATIONS, whyAbsent } from './implementations.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
});
const { only, runs, seed } = values;
const options = ['--runs', runs, ...(seed === undefined ? [] : ['--seed', seed])];

for (const implementation of IMPLEMENTATIONS) {
  if (only !== undefined && implementation.name.toLowerCase() !== only.toLowerCase()) continue;
  const reason = whyAbsent(implementation);
  if (reason !== undefined) process.stdout.write(`${reason}\n`);
  else if (!build(implementation) || !conforms(implementation, options)) process.exitCode = 1;
}
