/**
 * Random histories of policy sets, which add and delete policies, encode and decode the set, and match people. Compares each match with testing
 * policies one by one.
 */
import * as fc from 'fast-check';
import {
  type ClaimSet,
  type CompiledQuery,
  type Credential,
  type compilePredicate,
  type JsonValue,
  QueryError,
  type RegexEngine,
} from '../../../src/index.js';
import type { IndexedPolicySet, IndexSizes } from '../../../src/policy-set/indexed-policy-set.js';
import {
  type CredentialDraft,
  credentialDrafts,
  toCredentials,
} from '../../../src/testing/arbitraries/claim-set.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { check, policy } from '../../../src/testing/arbitraries/query.js';

/** A step of a history. Numbers select from lists, modulo their length. */
export type Step =
  | { readonly kind: 'add'; readonly query: number }
  | { readonly kind: 'delete'; readonly policy: number }
  | { readonly kind: 'serialize' }
  /** The person's claims are derived from the selected queries. */
  | {
      readonly kind: 'match';
      readonly drafts: readonly CredentialDraft[];
      readonly queries: readonly number[];
    };

export interface History {
  readonly queries: readonly JsonValue[];
  readonly steps: readonly Step[];
  readonly sizes: IndexSizes;
}

/** The parts of the package that a history uses, built with or without a planted bug. */
export interface TestedPackage {
  readonly ClaimSet: { at(credentials: readonly Credential[], now: number): ClaimSet };
  readonly compilePredicate: typeof compilePredicate;
  readonly IndexedPolicySet: typeof IndexedPolicySet;
  readonly regex: RegexEngine;
}

const TOO_LARGE = 'query_too_large';

/** Counts over the histories that were run. */
export interface HistoryTally {
  matches: number;
  /** Verdicts of policies, over all matches that do not fail. */
  verdicts: number;
  passed: number;
}

export function history(): fc.Arbitrary<History> {
  const query = fc.oneof<fc.WeightedArbitrary<unknown>[]>(
    { weight: 3, arbitrary: check().map((drawn) => ({ check: drawn })) },
    { weight: 7, arbitrary: policy().map((drawn) => ({ policy: drawn })) },
    { weight: 2, arbitrary: commonCheck().map((drawn) => ({ check: drawn })) },
    { weight: 2, arbitrary: commonPolicy().map((drawn) => ({ policy: drawn })) },
  );
  const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('add'), query: fc.nat() }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete'), policy: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('serialize') }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('match'),
        drafts: credentialDrafts(),
        queries: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      }),
    },
  );
  return fc.record({
    // Queries are plain JSON, which their type does not express.
    queries: fc.array(query as fc.Arbitrary<JsonValue>, { minLength: 1, maxLength: 24, size: 'max' }),
    steps: fc.array(step, { maxLength: 120, size: 'max' }),
    sizes: fc.record({
      mostDeleted: fc.constantFrom(0, 1, 8, 1_024),
      mostRoom: fc.constantFrom(2, 4, 16, 64),
    }),
  });
}

/**
 * Checks on one claim: bounds that are next to each other in the index, and operand lists, most of which are too long to be stored in the program of
 * a policy.
 */
function commonCheck(): fc.Arbitrary<JsonValue> {
  const number = fc.integer({ min: 0, max: 80 });
  const compared = fc.record({ operator: fc.constantFrom('>', '>=', '<', '<='), value: number });
  const listed = fc.record({
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.uniqueArray(number, { minLength: 20, maxLength: 40, size: 'max' }),
  });
  return fc.oneof(compared, listed).map((drawn) => ({ claim: 'common.number', ...drawn }));
}

/** Policies of several checks on one claim, so that a person may pass all checks of a policy but one. */
function commonPolicy(): fc.Arbitrary<JsonValue> {
  const number = fc.integer({ min: 0, max: 80 });
  const loose = fc.oneof(
    fc.record({ operator: fc.constantFrom('>', '!='), value: number }),
    fc.record({ operator: fc.constant('<'), value: fc.integer({ min: 20, max: 80 }) }),
    fc.record({
      operator: fc.constant('in'),
      value: fc.uniqueArray(number, { minLength: 4, maxLength: 20, size: 'max' }),
    }),
  );
  const checks = fc.array(
    loose.map((drawn) => ({ claim: 'common.number', ...drawn })),
    { minLength: 2, maxLength: 9, size: 'max' },
  );
  return checks.map((allOf) => ({ allOf }));
}

/** Runs a history. @throws {Error} If the set differs from testing policies one by one. */
export function runHistory(history: History, tested: TestedPackage, tally: HistoryTally): void {
  const { IndexedPolicySet: PolicySet, compilePredicate: compile, regex } = tested;
  const { queries, steps, sizes } = history;
  let set = new PolicySet({ regex }, sizes);
  const expected = new Map<string, CompiledQuery>();
  for (const [index, step] of steps.entries()) {
    switch (step.kind) {
      case 'add': {
        const query = queries[step.query % queries.length];
        const compiled = unlessInvalid(() => compile(query, { regex, catalogue: 'none' }));
        const isAdded = unlessInvalid(() => {
          set.add(`policy ${index}`, query);
          return true;
        });
        if ((compiled === undefined) !== (isAdded === undefined))
          throw new Error(`step ${index}: the set and the compiler disagree on whether the query is valid`);
        if (compiled !== undefined) expected.set(`policy ${index}`, compiled);
        break;
      }
      case 'delete': {
        const id = [...expected.keys()][step.policy % expected.size];
        if (id === undefined) break;
        expected.delete(id);
        if (!set.delete(id)) throw new Error(`step ${index}: the set does not have ${id}`);
        break;
      }
      case 'serialize': {
        const bytes = set.toBytes();
        set = new PolicySet({ regex }, sizes);
        set.addEncoded(bytes);
        break;
      }
      case 'match': {
        const related = step.queries.map((number) => queries[number % queries.length] as JsonValue);
        const claims = tested.ClaimSet.at(toCredentials(step.drafts, related, USUAL_INSTANT), USUAL_INSTANT);
        const passing = outcome(() =>
          [...expected].filter(([, query]) => query.test(claims)).map(([id]) => id),
        );
        const found = outcome(() => set.match(claims));
        if (passing.join() !== found.join())
          throw new Error(`step ${index}: expected ${passing}, found ${found}`);
        tally.matches += 1;
        if (passing[0] === TOO_LARGE) break;
        tally.verdicts += expected.size;
        tally.passed += passing.length;
      }
    }
  }
}

/** Returns the result of a call; `undefined` if it throws a `QueryError`. */
function unlessInvalid<Value>(call: () => Value): Value | undefined {
  try {
    return call();
  } catch (error) {
    // Errors of a package that was built for a test are of another class.
    if ((error as Error).name === QueryError.name) return undefined;
    throw error;
  }
}

/** Returns the ids that pass, sorted, or only `query_too_large` if the match fails with this error. Rethrows other errors. */
function outcome(match: () => readonly string[]): readonly string[] {
  try {
    return match().toSorted();
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === TOO_LARGE) return [TOO_LARGE];
    throw error;
  }
}
