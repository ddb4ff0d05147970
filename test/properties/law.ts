/** Runs properties with a fixed seed, so that the tests are deterministic; `npm run check -- conformance` uses random seeds. */
import * as fc from 'fast-check';
import {
  ClaimSet,
  type CompileOptions,
  createScopeCatalogue,
  type JsonValue,
  type PolicyItemInput,
  QueryError,
  type QueryResult,
  re2js,
} from '../../src/index.js';
import { USUAL_INSTANT } from '../../src/testing/arbitraries/instant.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import {
  type CredentialDraft,
  credentialDrafts,
  policyItem,
  type Scenario,
  toCredentials,
} from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';

const SEED = 11_212_026;
const RUNS = 3_000;

/** Limits without a bound on the cost of matching. */
export const ANY_COST = { matchCost: Number.MAX_SAFE_INTEGER };

/** Caches up to 1,000 compiled patterns. */
export const regex = cachePatterns(re2js);

/** Checks a property for all drawn values. */
export function holdsForAll<Drawn>(
  drawn: fc.Arbitrary<Drawn>,
  check: (drawn: Drawn) => void,
  numRuns = RUNS,
): void {
  const property = fc.property(drawn, (value) => {
    // Returns nothing, since fast-check counts a returned `false` as a failure.
    check(value);
  });
  fc.assert(property, { seed: SEED, numRuns });
}

/** The engine's outcome for a scenario: a result, or the error of a rejected query. */
export type EvaluationOutcome = { readonly result: QueryResult } | { readonly error: QueryError };

/** Evaluates a scenario with the engine. Rethrows exceptions other than a `QueryError`. */
export function evaluateScenario({
  query,
  credentials,
  scopes,
  catalogue,
  now,
}: Scenario): EvaluationOutcome {
  const options: CompileOptions = { regex, catalogue: createScopeCatalogue(catalogue) };
  try {
    const compiled = compile(query, options);
    return { result: compiled.evaluate(ClaimSet.at(credentials, now), { now, scopes }) };
  } catch (error) {
    if (error instanceof QueryError) return { error };
    throw error;
  }
}

/** Evaluates a scenario, and serializes the outcome for comparison. */
export function outcomeText(scenario: Scenario): string {
  const outcome = evaluateScenario(scenario);
  if ('result' in outcome) return JSON.stringify(outcome.result);
  const { code, problems, missing } = outcome.error;
  return JSON.stringify({ code, problems, missing });
}

/** Items of policies, and claims on which about half of their checks pass. */
export function itemsAndClaims(
  count: number,
): fc.Arbitrary<{ readonly items: readonly PolicyItemInput[]; readonly claims: ClaimSet }> {
  const items = fc.array(policyItem(), { minLength: count, maxLength: count });
  return fc.tuple(items, credentialDrafts()).map(([drawn, drafts]) => {
    return { items: drawn, claims: claimsFor(drawn, drafts) };
  });
}

/** The claim set of drafts that relate to the checks of some items. */
export function claimsFor(items: unknown, drafts: readonly CredentialDraft[]): ClaimSet {
  const credentials = toCredentials(drafts, items as JsonValue, USUAL_INSTANT);
  return ClaimSet.at(credentials, USUAL_INSTANT);
}

/** Tests an item, without a limit on the cost of matching. */
export function passes(item: PolicyItemInput, claims: ClaimSet): boolean {
  return compile({ policy: { allOf: [item] } }, { regex, limits: ANY_COST }).test(claims);
}
