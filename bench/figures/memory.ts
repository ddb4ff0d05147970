/** Figure: memory before and after many operations. Arguments: the number of evaluations, and of distinct queries to compile. */
import { ClaimSet, compile, re2js } from '../../src/index.js';
import { drawPeople, NOW } from '../scenarios/people.js';
import { createScenario } from '../scenarios/scenario.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { keep } from '../timing/keep.js';
import { reportProgress } from './progress.js';

/** Bytes in use after a garbage collection. */
export interface MemoryUse {
  readonly heap: number;
  readonly external: number;
  /** Resident set size, which shrinks late or never. */
  readonly resident: number;
}

export interface MemoryGrowth {
  readonly what: string;
  readonly count: number;
  readonly before: MemoryUse;
  readonly after: MemoryUse;
}

const PEOPLE = 1_000;
/** Share of the work that precedes the first measurement, so that code and caches have reached their size by then. */
const WARM_UP_SHARE = 0.1;
const TENTHS = 10;

const [evaluations = 0, queries = 0] = process.argv.slice(2).map(Number);
const growths = [
  await grow('evaluations', evaluations, createEvaluation()),
  await grow('queries compiled', queries, createCompilation()),
];
process.stdout.write(JSON.stringify(growths));

async function grow(what: string, count: number, work: (index: number) => unknown): Promise<MemoryGrowth> {
  const warmUp = Math.round(count * WARM_UP_SHARE);
  let index = 0;
  for (; index < warmUp; index += 1) keep(work(index));
  reportProgress(`${what}: warmed up`);
  // The first measurement itself allocates.
  await memoryUse();
  const before = await memoryUse();
  for (let tenth = 1; tenth <= TENTHS; tenth += 1) {
    const end = warmUp + (count * tenth) / TENTHS;
    for (; index < end; index += 1) keep(work(index));
    reportProgress(`${what}: ${tenth * 10} %`);
  }
  return { what, count, before, after: await memoryUse() };
}

/** Alternates between `test` and `evaluate`, on people of mixed shapes. */
function createEvaluation(): (index: number) => unknown {
  const { query, scopes, people } = createScenario(WORKLOADS.six, 'mixed', PEOPLE);
  const compiled = compile(query, { regex: re2js });
  const claimSets = people.map(({ credentials }) => ClaimSet.at(credentials, NOW));
  const options = { now: NOW, scopes };
  return (index) => {
    const claims = claimSets[index % PEOPLE] as ClaimSet;
    return index % 2 === 0 ? compiled.test(claims) : compiled.evaluate(claims, options);
  };
}

/** Compiles and runs queries with a distinct pattern, list and number each. */
function createCompilation(): (index: number) => unknown {
  const [person] = drawPeople(1, 'uniform', [], 9);
  const claims = ClaimSet.at(person?.credentials ?? [], NOW);
  return (index) =>
    compile(
      {
        policy: {
          anyOf: [
            { claim: 'identity.age', operator: '>', value: 200 + index },
            { claim: 'identity.email', operator: 'matchRegex', value: `^never${index}[a-z]+(@|\\.)` },
            { claim: 'kyc.document_number', operator: 'in', value: [`first-${index}`, `second-${index}`] },
          ],
        },
      },
      { regex: re2js },
    ).test(claims);
}

async function memoryUse(): Promise<MemoryUse> {
  // A collection may leave work to finalizers, which run between the rounds.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, resident: rss };
}
