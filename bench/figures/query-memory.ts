/**
 * Figure: the heap that a compiled query of six checks takes, by part, and what evaluation adds. Arguments: the number of queries, and
 * `overlap` for policies that share checks, as people write them, or `distinct` for policies without a common check.
 */

import { readPredicate } from '../../src/engine/compile/compile.js';
import { toEvidencePlan } from '../../src/engine/compile/evidence.js';
import { toScopeGate } from '../../src/engine/compile/guards.js';
import { type PlannedItem, planItem } from '../../src/engine/compile/plan.js';
import { toPredicate } from '../../src/engine/compile/predicate.js';
import { ParseContext } from '../../src/engine/query/parse-context.js';
import {
  ClaimSet,
  type CompiledQuery,
  canonicalText,
  compilePredicate,
  defaultScopeCatalogue,
  re2js,
} from '../../src/index.js';
import { HOSTILE_SETS } from '../policy-sets/hostile.js';
import { drawPolicies } from '../scenarios/policy-sets.js';

/** Heap of a part, in bytes per query. A part named `compiled: …` is contained in `compiled`, unless it is not retained. */
export interface QueryMemory {
  readonly part: string;
  readonly bytes: number;
}

const CHECKS = 6;
const WARM_UP = 300;
const CLAIMS = ClaimSet.of({}, { now: 1_000 });
const OPTIONS = { regex: re2js, catalogue: 'none' } as const;

const [count = 0, set] = [Number(process.argv[2]), process.argv[3]];
const queries = set === 'distinct' ? distinctPolicies() : overlappingPolicies();
for (const query of queries.slice(0, WARM_UP)) evaluate(compilePredicate(query, OPTIONS));
process.stdout.write(JSON.stringify(await measureParts()));

async function measureParts(): Promise<readonly QueryMemory[]> {
  const parts: QueryMemory[] = [];
  /** Creates a value for each query, and measures what they take. */
  const measure = async <Value>(
    part: string,
    create: (index: number) => Value,
  ): Promise<readonly Value[]> => {
    const values = new Array<Value>(count);
    const before = await heapUsed();
    for (let index = 0; index < count; index += 1) values[index] = create(index);
    parts.push({ part, bytes: ((await heapUsed()) - before) / count });
    return values;
  };
  await measure('compiled, with a catalogue', (index) => compilePredicate(queries[index], { regex: re2js }));
  const compiled = await measure('compiled, without a catalogue', (index) =>
    compilePredicate(queries[index], OPTIONS),
  );
  await measure('first evaluation', (index) => evaluate(compiled[index] as CompiledQuery));
  const parsed = await measure('compiled: parsed query', (index) => read(index).query);
  await measure('compiled: claims', (index) => Object.freeze([...(compiled[index] as CompiledQuery).claims]));
  // Measured before the predicates, which are created from the plans but do not retain them.
  const planned = await measure('compiled: plan, not retained', (index): PlannedItem => {
    const { query, patterns } = read(index);
    return planItem(query, patterns, []);
  });
  await measure('compiled: predicate', (index) => toPredicate(planned[index] as PlannedItem));
  await measure('compiled: scope gate', (index) =>
    toScopeGate((compiled[index] as CompiledQuery).claims, defaultScopeCatalogue),
  );
  await measure('first evaluation: evidence plan', (index) => {
    const { query, patterns } = read(index);
    return toEvidencePlan(query, patterns);
  });
  await measure('canonical text, for a cache', (index) =>
    Buffer.from(canonicalText(parsed[index] as (typeof parsed)[number])).toString('latin1'),
  );
  return parts;
}

function read(index: number) {
  const context = new ParseContext({ regex: re2js });
  return { query: readPredicate(queries[index], context), patterns: context.patterns };
}

function evaluate(query: CompiledQuery): void {
  query.test(CLAIMS);
  query.evaluateToJson(CLAIMS, { scopes: [] });
}

function overlappingPolicies(): readonly object[] {
  return drawPolicies({ policies: count, passing: 0.005, checks: [CHECKS, CHECKS] });
}

function distinctPolicies(): readonly object[] {
  const set = HOSTILE_SETS.find(({ name }) => name === 'no shared check');
  return Array.from({ length: count }, (_, index) => set?.policy(index) ?? {});
}

async function heapUsed(): Promise<number> {
  // A collection may leave work to finalizers, which run between the rounds.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
