/** Sequences of requests: journeys, such as logins, with steps omitted, repeated, mutated or mixed with others, and single requests. */
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
        { weight: 2, arbitrary: maybeMutated(describedRequest()).map((one) => [one]) },
        journeys(),
      ),
    },
    { noNullPrototype: true },
  );
}

/** A request, valid or mutated. */
function maybeMutated(requests: fc.Arbitrary<PlannedRequest>): fc.Arbitrary<PlannedRequest> {
  return fc
    .tuple(requests, mutations())
    .map(([request, changes]) => changes.reduce((changed, change) => change(changed), request));
}

function journeys(): fc.Arbitrary<readonly PlannedRequest[]> {
  return fc.constantFrom(...JOURNEYS).chain((journey) => {
    const steps = journey.map((step) =>
      fc.oneof(
        // Mostly valid, since the next step depends on it.
        { weight: 10, arbitrary: fc.constant([step]) },
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.constant([step, step]) },
        { weight: 3, arbitrary: maybeMutated(fc.constant(step)).map((one) => [one]) },
        { weight: 2, arbitrary: describedRequest().map((one) => [step, one]) },
      ),
    );
    return fc.tuple(...steps).map((drawn) => drawn.flat());
  });
}
