/** The type of a result depends on the type of the query; this file checks it when it is compiled. */
import { expectTypeOf, it } from 'vitest';
import { p } from '../../src/builder/index.js';
import type { Access, PresetResult } from '../../src/client/index.js';
import type { JsonValue, PredicateResult, ProjectionResult, QueryResult } from '../../src/index.js';

type Evaluate = Access['evaluate'];

it('conditions have predicate results, projections have projection results, and unknown queries have either', () => {
  const evaluateEach = (evaluate: Evaluate) => ({
    condition: evaluate(p.not(p.claim('kyc.passed').equals(true))),
    check: evaluate({ check: { claim: 'kyc.passed', operator: '==', value: true } }),
    policy: evaluate({ policy: { allOf: [{ claim: 'kyc.passed', operator: 'isDefined' }] } }),
    projection: evaluate(p.project(p.claim('kyc.level').pluck())),
    projections: evaluate({ projections: [{ claim: 'kyc.level', lens: 'pluck' }] }),
    unknown: evaluate(JSON.parse('{}') as unknown),
  });
  type Results = ReturnType<typeof evaluateEach>;
  expectTypeOf<Results['condition']>().toEqualTypeOf<Promise<PredicateResult>>();
  expectTypeOf<Results['check']>().toEqualTypeOf<Promise<PredicateResult>>();
  expectTypeOf<Results['policy']>().toEqualTypeOf<Promise<PredicateResult>>();
  expectTypeOf<Results['projection']>().toEqualTypeOf<Promise<ProjectionResult>>();
  expectTypeOf<Results['projections']>().toEqualTypeOf<Promise<ProjectionResult>>();
  expectTypeOf<Results['unknown']>().toEqualTypeOf<Promise<QueryResult>>();
  expectTypeOf<PresetResult['value']>().toEqualTypeOf<JsonValue>();
});
