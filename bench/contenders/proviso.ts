/** Proviso: `test` without evidence, `evaluate` with complete evidence, and the bytes of a response. */
import manifest from '../../package.json' with { type: 'json' };
import { ClaimSet, type CompiledQuery, compile, type QueryResult, re2js } from '../../src/index.js';
import { NOW } from '../scenarios/people.js';
import type { Scenario } from '../scenarios/scenario.js';
import { keep } from '../timing/keep.js';
import type { Contender } from './contender.js';

const about = { version: manifest.version, kind: 'ours', supports: (): true => true } as const;

/** `CompiledQuery.test`: stops as soon as the outcome is known. */
export const provisoTest: Contender = {
  ...about,
  name: 'Proviso test()',
  prepare: (scenario) => {
    const { compiled, claimSets } = prepareScenario(scenario);
    return { mode: 'sync', inputs: claimSets, passes: compiled.test };
  },
  prepareCompilation: ({ query, people }) => {
    // Raw JSON, not the frozen result of `parse`.
    const raw: unknown = JSON.parse(JSON.stringify(query));
    const claims = ClaimSet.at(people[0]?.credentials ?? [], NOW);
    return () => compile(raw, { regex: re2js }).test(claims);
  },
};

/** `CompiledQuery.evaluate`: the scope gate, every check, the used claims and the expiry. */
export const provisoEvaluate: Contender = {
  ...about,
  name: 'Proviso evaluate()',
  note: 'with complete evidence',
  prepare: (scenario) => {
    const { compiled, claimSets } = prepareScenario(scenario);
    const options = { now: NOW, scopes: scenario.scopes };
    return {
      mode: 'sync',
      inputs: claimSets,
      passes: (claims: ClaimSet) => passedOf(keep(compiled.evaluate(claims, options))),
    };
  },
};

/** The first bytes of a passing result. */
const PASSED = '{"type":"predicate","passed":true,';

/** From a compiled query to the bytes of the response: `CompiledQuery.evaluateToJson`. */
export const provisoBytes: Contender = {
  ...about,
  name: 'Proviso query → bytes',
  note: 'with complete evidence, as the body of a response',
  prepare: (scenario) => {
    const { compiled, claimSets } = prepareScenario(scenario);
    const options = { now: NOW, scopes: scenario.scopes };
    return {
      mode: 'sync',
      inputs: claimSets,
      passes: (claims: ClaimSet) => {
        const text = compiled.evaluateToJson(claims, options);
        keep(Buffer.from(text));
        return text.startsWith(PASSED);
      },
    };
  },
};

/** The comparison for `provisoBytes`: `JSON.stringify` of existing results. */
export const stringifyAlone: Contender = {
  ...about,
  kind: 'limit',
  name: 'JSON.stringify of the result',
  version: process.versions.v8,
  note: 'of results computed beforehand',
  prepare: (scenario) => {
    const { compiled, claimSets } = prepareScenario(scenario);
    const options = { now: NOW, scopes: scenario.scopes };
    return {
      mode: 'sync',
      inputs: claimSets.map((claims) => compiled.evaluate(claims, options)),
      passes: (result: QueryResult) => {
        keep(Buffer.from(JSON.stringify(result)));
        return passedOf(result);
      },
    };
  },
};

function prepareScenario({ query, people }: Scenario): {
  compiled: CompiledQuery;
  claimSets: readonly ClaimSet[];
} {
  return {
    compiled: compile(query, { regex: re2js }),
    claimSets: people.map(({ credentials }) => ClaimSet.at(credentials, NOW)),
  };
}

function passedOf(result: QueryResult): boolean {
  return result.type === 'predicate' && result.passed;
}
