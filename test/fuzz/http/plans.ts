/** Rows of requests: whole logins with steps left out, repeated, spoiled or mixed with others, and single requests. */
import * as fc from 'fast-check';
import { describedRequest, JOURNEYS } from './flows.js';
import { mutations } from './mutations.js';
import type { PlannedRequest } from './planned-request.js';

export const DEPLOYMENTS = ['sandbox', 'production'] as const;

export interface Plan {
  readonly deployment: (typeof DEPLOYMENTS)[number];
  readonly requests: readonly PlannedRequest[];
}

export function plans(): fc.Arbitrary<Plan> {
  return fc.record(
    {
      deployment: fc.oneof(
        { weight: 2, arbitrary: fc.constant('sandbox' as const) },
        { weight: 1, arbitrary: fc.constant('production' as const) },
      ),
      requests: fc.oneof(
        { weight: 2, arbitrary: spoiled(describedRequest()).map((one) => [one]) },
        journeys(),
      ),
    },
    { noNullPrototype: true },
  );
}

/** A request, right or spoiled. */
function spoiled(requests: fc.Arbitrary<PlannedRequest>): fc.Arbitrary<PlannedRequest> {
  return fc
    .tuple(requests, mutations())
    .map(([request, changes]) => changes.reduce((changed, change) => change(changed), request));
}

function journeys(): fc.Arbitrary<readonly PlannedRequest[]> {
  return fc.constantFrom(...JOURNEYS).chain((journey) => {
    const steps = journey.map((step) =>
      fc.oneof(
        // Mostly as it should be, or the next has nothing to build on.
        { weight: 10, arbitrary: fc.constant([step]) },
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.constant([step, step]) },
        { weight: 3, arbitrary: spoiled(fc.constant(step)).map((one) => [one]) },
        { weight: 2, arbitrary: describedRequest().map((one) => [step, one]) },
      ),
    );
    return fc.tuple(...steps).map((rows) => rows.flat());
  });
}
