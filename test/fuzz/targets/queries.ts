/** The query language: mutated vectors, on which the engine and the reference interpreter must agree (Z1). */
import * as fc from 'fast-check';
import { canonicalText, type JsonValue, parseInstant, QueryError, re2js } from '../../../src/index.js';
import { cachePatterns } from '../../../src/testing/cache-patterns.js';
import {
  type ExpectedError,
  interpret,
  jsonValue,
  mutatedQuery,
  type Vector,
} from '../../../src/testing/index.js';
import { engineEvaluator } from '../../conformance/engine-evaluator.js';
import { HOSTILE_STRINGS, PROTOTYPE_NAMES } from '../../support/hostile-strings.js';
import { parse } from '../../support/with-re2js.js';
import { readVectorFiles } from '../../vectors/vector-files.js';
import { type Finding, fuzzTarget, type OpenTarget } from '../fuzz-target.js';
import { replaceNode } from '../http/mutations.js';

/** A query with its credentials and options. */
type EvaluationInput = Pick<Vector, 'query' | 'credentials' | 'scopes' | 'at' | 'catalogue'>;

/** Maximum time of both evaluations, which block the event loop. */
const SLOW_MS = 2_000;
const OPERANDS: readonly JsonValue[] = [
  ...Object.values(HOSTILE_STRINGS),
  ...PROTOTYPE_NAMES,
  '\ud800',
  'x.a.__proto__',
  'identity.constructor',
  '2026-02-29T24:00:60Z',
  '0000-01-01',
  1e308,
  5e-324,
  -1,
  null,
  true,
  [],
  {},
  [[[]]],
  { '': null },
];

export const queries = fuzzTarget<EvaluationInput>('queries', openQueries);

async function openQueries(): Promise<OpenTarget<EvaluationInput>> {
  const regex = cachePatterns(re2js);
  const evaluate = engineEvaluator(regex);
  const outcomes = new Map<string, number>();
  const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  return {
    inputs: evaluationInputs(),
    probe: async ({ query, credentials, ...options }) => {
      const from = performance.now();
      try {
        const outcome = evaluate(query, credentials, options);
        const text = 'result' in outcome ? JSON.stringify(outcome.result) : rejectionText(outcome.error);
        note('result' in outcome ? 'result' : outcome.error.code);
        const expected = referenceOutcome({ query, credentials, ...options });
        if (expected !== text) return { kind: 'engine and reference differ', detail: `${text}\n${expected}` };
        const slowMs = performance.now() - from;
        if (slowMs > SLOW_MS) return { kind: 'slow', detail: `${Math.round(slowMs)} ms` };
        return 'result' in outcome ? canonicalFault(query) : undefined;
      } catch (error) {
        return { kind: `threw ${error instanceof Error ? error.name : 'something'}`, detail: String(error) };
      }
    },
    reached: () => [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', '),
    close: async () => undefined,
  };

  function referenceOutcome({ query, credentials, scopes, at, catalogue }: EvaluationInput): string {
    const instant = (text: string) => parseInstant(text) ?? Number.NaN;
    const read = credentials.map(({ issuedAt, expiresAt, revokedAt, ...rest }) => ({
      ...rest,
      issuedAt: instant(issuedAt),
      ...(expiresAt === undefined ? {} : { expiresAt: instant(expiresAt) }),
      ...(revokedAt === undefined ? {} : { revokedAt: instant(revokedAt) }),
    }));
    try {
      return JSON.stringify(interpret(query, read, { now: instant(at), scopes, catalogue, regex }));
    } catch (error) {
      if (error instanceof QueryError) return rejectionText(error);
      throw error;
    }
  }

  function canonicalFault(query: JsonValue): Finding | undefined {
    const text = canonicalText(parse(query, { regex }));
    const reparsed = canonicalText(parse(JSON.parse(text), { regex }));
    return reparsed === text
      ? undefined
      : { kind: 'canonical text is not stable', detail: `${text}\n${reparsed}` };
  }
}

/** Returns what the specification requires of an error, as text: its code, problems and claims with missing scopes, without messages. */
function rejectionText({ code, problems = [], missing = [] }: ExpectedError): string {
  const places = problems.map((problem) => [problem.code, problem.pointer]);
  return JSON.stringify({ code, places, missing });
}

function evaluationInputs(): fc.Arbitrary<EvaluationInput> {
  const vectors = readVectorFiles().flatMap((file) => file.vectors);
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...OPERANDS) },
    { weight: 2, arbitrary: jsonValue() },
    { weight: 1, arbitrary: mutatedQuery() },
  );
  const change = fc.record({ inQuery: fc.boolean(), place: fc.nat({ max: 63 }), value });
  return fc
    .tuple(fc.constantFrom(...vectors), fc.array(change, { maxLength: 3 }))
    .map(([{ query, credentials, scopes, at, catalogue }, changes]) => {
      let mutated: unknown = query;
      let claims: readonly unknown[] = credentials.map((one) => one.claims);
      for (const { inQuery, place, value: given } of changes) {
        if (inQuery) mutated = replaceNode(mutated, place, () => given);
        else claims = claims.map((one) => replaceClaim(one, place, given));
      }
      const changed = credentials.map((one, index) => ({ ...one, claims: claims[index] }));
      const input = { query: mutated, credentials: changed, scopes, at, catalogue };
      // Keeps only what JSON can represent, as if read from a file.
      return JSON.parse(JSON.stringify(input)) as EvaluationInput;
    });
}

/** Replaces a node in the value of one claim; the claims remain an object of claim paths, which `ClaimSet` requires. */
function replaceClaim(claims: unknown, place: number, value: unknown): unknown {
  const entries = Object.entries(claims as object);
  return Object.fromEntries(
    entries.map(([path, old], index) => [
      path,
      index === place % entries.length ? replaceNode(old, place >> 2, () => value) : old,
    ]),
  );
}
