/** Scenarios: one query and many people; and the expected results, from the reference interpreter. */
import { checksOf } from '../../src/engine/query/query.js';
import {
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
  type PolicyItem,
  parse,
  re2js,
  toScopeDefinitions,
} from '../../src/index.js';
import { interpret } from '../../src/testing/index.js';
import { drawPeople, NOW, type Person, type Shape } from './people.js';

/** A measured query. */
export interface Workload {
  readonly name: WorkloadName;
  readonly title: string;
  /** The query as its author writes it. */
  readonly query: unknown;
}

export type WorkloadName = 'one' | 'six' | 'fifty';

export interface Scenario {
  /** `undefined` for a warm-up query, which has no hand-written function. */
  readonly workload: WorkloadName | undefined;
  /** The query in canonical form. */
  readonly query: PolicyItem;
  /** Scopes that cover the query's claims. */
  readonly scopes: readonly string[];
  readonly people: readonly Person[];
}

/** Seeds of the people of each shape. */
const SEEDS: Readonly<Record<Shape, number>> = { uniform: 1, mixed: 2 };
const DEFINITIONS = toScopeDefinitions(DEFAULT_SCOPES, DEFAULT_CLAIMS);

/** Creates the scenario of a workload with people drawn at random. The same arguments give the same scenario. */
export function createScenario(workload: Workload, shape: Shape, count: number): Scenario {
  const query = parse(workload.query) as PolicyItem;
  const people = drawPeople(count, shape, pathsOf(query), SEEDS[shape]);
  return { workload: workload.name, query, scopes: scopesFor(query), people };
}

/** Evaluates the query for each person by the reference interpreter, which shares no evaluation code with the engine. */
export function referenceAnswers({ query, scopes, people }: Scenario): readonly boolean[] {
  const options = { now: NOW, scopes, catalogue: DEFINITIONS, regex: re2js };
  return people.map(({ credentials }) => {
    const result = interpret(query, credentials, options);
    return result.type === 'predicate' && result.passed;
  });
}

/** The scopes of the default catalogue that cover a query's claims. */
export function scopesFor(query: PolicyItem): readonly string[] {
  const paths = pathsOf(query);
  return [...new Set(DEFAULT_CLAIMS.filter(({ path }) => paths.includes(path)).map(({ scope }) => scope))];
}

function pathsOf(query: PolicyItem): readonly string[] {
  return [...new Set(checksOf(query).map(({ claim }) => claim))];
}
