/** Measures one figure in a separate process: `node measure.mjs <figure> <rounds> <slice in ms> [arguments]`, and prints JSON. */
import type { Shape } from '../scenarios/people.js';
import type { WorkloadName } from '../scenarios/scenario.js';
import { lastKept } from '../timing/keep.js';
import { measureClaimSets } from './claim-sets.js';
import { measureCompiling } from './compiling.js';
import { type GrowthAxis, measureGrowth } from './growth.js';
import { measurePredicates } from './predicates.js';
import { reportProgress } from './progress.js';

const [figure, rounds, sliceMs, first, second] = process.argv.slice(2);
const settings = { rounds: Number(rounds), sliceMs: Number(sliceMs) };

const measured = await measure();
// Reading the kept value prevents the optimizer from removing the timed calls.
if (lastKept() === undefined && figure === 'claim-sets') reportProgress('no result was kept');
process.stdout.write(JSON.stringify(measured));

function measure(): Promise<unknown> {
  switch (figure) {
    case 'predicates':
      return measurePredicates(first as WorkloadName, second as Shape, settings);
    case 'compiling':
      return measureCompiling(first as WorkloadName, settings);
    case 'claim-sets':
      return measureClaimSets(settings);
    case 'growth':
      return measureGrowth(first as GrowthAxis, settings);
    default:
      throw new RangeError(`unknown figure: ${figure}`);
  }
}
