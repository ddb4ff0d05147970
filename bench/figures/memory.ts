/** Figure: memory before and after. Arguments: how many evaluations, and how many distinct queries to compile. */
import { ClaimSet, compile } from '../../src/index.js';
import { drawPeople, NOW } from '../scenarios/people.js';
import { createScenario } from '../scenarios/scenario.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { keep } from '../timing/keep.js';
import { reportProgress } from './progress.js';

/** Bytes in use once garbage is collected. */
export interface MemoryUse {
  readonly heap: number;
  readonly external: number;
  /** Memory that the system has given the process; it is returned late, if ever. */
  readonly resident: number;
}

export interface MemoryGrowth {
  readonly what: string;
  readonly count: number;
  readonly before: MemoryUse;
  readonly after: MemoryUse;
}

const PEOPLE = 1_000;
/** Share of the work before the first reading, by which code and caches have reached their size. */
const WARM_UP_SHARE = 0.1;
const TENTHS = 10;

const [evaluations = 0, queries = 0] = process.argv.slice(2).map(Number);
const growths = [
  await grow('evaluations', evaluations, evaluating()),
  await grow('queries compiled', queries, compiling()),
];
process.stdout.write(JSON.stringify(growths));

async function grow(what: string, count: number, work: (index: number) => unknown): Promise<MemoryGrowth> {
  const warmUp = Math.round(count * WARM_UP_SHARE);
  for (let index = 0; index < warmUp; index += 1) keep(work(index));
  reportProgress(`${what}: warmed up`);
  // The first reading itself allocates.
  await memoryUse();
  const before = await memoryUse();
  for (let tenth = 0; tenth < TENTHS; tenth += 1) {
    const end = warmUp + (count * (tenth + 1)) / TENTHS;
    for (let index = warmUp + (count * tenth) / TENTHS; index < end; index += 1) keep(work(index));
    reportProgress(`${what}: ${(tenth + 1) * 10} %`);
  }
  return { what, count, before, after: await memoryUse() };
}

/** Half of them `test`, half with evidence, over people of mixed shapes. */
function evaluating(): (index: number) => unknown {
  const { query, scopes, people } = createScenario(WORKLOADS.six, 'mixed', PEOPLE);
  const compiled = compile(query);
  const claimSets = people.map(({ credentials }) => ClaimSet.at(credentials, NOW));
  const options = { now: NOW, scopes };
  return (index) => {
    const claims = claimSets[index % PEOPLE] as ClaimSet;
    return index % 2 === 0 ? compiled.test(claims) : compiled.evaluate(claims, options);
  };
}

/** Each with a pattern, a list and a number that no other has, and run once. */
function compiling(): (index: number) => unknown {
  const [person] = drawPeople(1, 'uniform', [], 9);
  const claims = ClaimSet.at(person?.credentials ?? [], NOW);
  return (index) =>
    compile({
      policy: {
        anyOf: [
          { claim: 'identity.age', operator: '>', value: 200 + index },
          { claim: 'identity.email', operator: 'matchRegex', value: `^never${index}[a-z]+(@|\\.)` },
          { claim: 'kyc.document_number', operator: 'in', value: [`first-${index}`, `second-${index}`] },
        ],
      },
    }).test(claims);
}

async function memoryUse(): Promise<MemoryUse> {
  // A collection may leave work to finalisers, which run in between.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, resident: rss };
}
