/** Runs every vector with every evaluation method. */
import { describe, expect, it } from 'vitest';
import {
  ClaimSet,
  type CompileOptions,
  type Credential,
  canonicalText,
  createScopeCatalogue,
  type EvaluateOptions,
  parseInstant,
  QueryError,
  type QueryResult,
} from '../../src/index.js';
import { readVectors } from '../../src/testing/read-vectors.js';
import {
  type EvaluateVector,
  type ExpectedError,
  type Outcome,
  runVector,
  type Vector,
  type VectorCredential,
} from '../../src/testing/vector.js';
import { compile, evaluate, parse } from '../support/with-re2js.js';
import { readVectorFiles } from '../vectors/vector-files.js';

type EvaluationMethod = (
  query: unknown,
  credentials: readonly Credential[],
  options: EvaluateOptions & CompileOptions & { readonly now: number },
) => QueryResult;

const run: EvaluationMethod = (query, credentials, { now, scopes, ...options }) =>
  compile(query, options).evaluate(ClaimSet.at(credentials, now), { now, scopes });

const METHODS: Readonly<Record<string, EvaluationMethod>> = {
  'compile, then evaluate': run,
  'evaluate in one step': evaluate,
  'compile the parsed query': (query, credentials, options) => run(parse(query), credentials, options),
  'compile the canonical text': (query, credentials, options) =>
    run(JSON.parse(canonicalText(parse(query))), credentials, options),
  'credentials in reverse': (query, credentials, options) => run(query, [...credentials].reverse(), options),
  'scopes in reverse': (query, credentials, options) =>
    run(query, credentials, { ...options, scopes: [...options.scopes].reverse() }),
  'one claim set for several queries': (query, credentials, { now, scopes, ...options }) => {
    const claims = ClaimSet.at(credentials, now);
    compile({ check: { claim: 'x.first', operator: 'isDefined' } }).test(claims);
    return compile(query, options).evaluate(claims, { now, scopes });
  },
};

function instant(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(`invalid instant in a vector: ${text}`);
  return at;
}

/** Converts a credential without `parseCredentials`, since a vector may have claims that it rejects. */
function toCredential({ issuedAt, expiresAt, revokedAt, ...rest }: VectorCredential): Credential {
  return {
    ...rest,
    issuedAt: instant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: instant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: instant(revokedAt) }),
  };
}

function toEvaluator(method: EvaluationMethod): EvaluateVector {
  return (query, credentials, { scopes, at, catalogue }) => {
    const options = { now: instant(at), scopes, catalogue: createScopeCatalogue(catalogue) };
    try {
      return { result: method(query, credentials.map(toCredential), options) };
    } catch (error) {
      if (error instanceof QueryError) return { error };
      throw error;
    }
  };
}

/** Serializes a result, or the error of a rejected query. */
function bytes(evaluateVector: EvaluateVector, vector: Vector): string {
  return JSON.stringify(evaluateVector(vector.query, vector.credentials, vector));
}

describe.each(readVectorFiles())('the vectors of $name', ({ vectors }) => {
  it.each(vectors.map((vector) => ({ ...vector, cited: vector.decisions.join(', '), vector })))(
    '$id: $description ($cited)',
    ({ vector }) => {
      const before = JSON.stringify(vector);
      const verdicts = Object.entries(METHODS).map(([name, method]) => ({
        name,
        ...runVector(vector, toEvaluator(method)),
      }));
      expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);
      expect(JSON.stringify(vector), 'the vector was modified').toBe(before);
    },
  );

  // L24
  it('give the same bytes for the same inputs, with every evaluation method', () => {
    const unstable = vectors.filter((vector) => {
      const outcomes = Object.values(METHODS).flatMap((method) => [
        bytes(toEvaluator(method), vector),
        bytes(toEvaluator(method), vector),
      ]);
      return new Set(outcomes).size > 1;
    });
    expect(unstable.map(({ id }) => id)).toEqual([]);
  });

  // L21
  it('give the same outcome from `test` as from `evaluate`', () => {
    const wrong = vectors.filter(({ query, credentials, expect: expected, at }) => {
      const parts = 'result' in expected ? expected.result : expected;
      if (!('passed' in parts)) return false;
      const claims = ClaimSet.at(credentials.map(toCredential), instant(at));
      return compile(query).test(claims) !== parts['passed'];
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  // L25
  it('give the canonical texts that they state', () => {
    const wrong = vectors.flatMap(({ id, query, canonical }) => {
      if (canonical === undefined || canonicalText(parse(query)) === canonical) return [];
      return [{ id, canonical, got: canonicalText(parse(query)) }];
    });
    expect(wrong).toEqual([]);
  });
});

describe('the vector runner', () => {
  const vectors = readVectorFiles().flatMap((file) => file.vectors);
  const WRONG_OUTCOMES: Readonly<Record<string, (outcome: Outcome) => Outcome>> = {
    'no result': () => ({ result: undefined }),
    'an empty result': () => ({ result: {} }),
    'another error': () => ({ error: { code: 'refused' } }),
    'a missing problem': (outcome) =>
      'error' in outcome ? { error: withoutFirst(outcome.error) } : { result: null },
    'an additional problem': (outcome) =>
      'error' in outcome && outcome.error.missing?.length === 0
        ? {
            error: {
              ...outcome.error,
              problems: [...(outcome.error.problems ?? []), { code: 'form_missing', pointer: '/~' }],
            },
          }
        : { result: null },
    'the opposite result': (outcome) =>
      'result' in outcome
        ? { result: withOppositeResult(outcome.result as Record<string, unknown>) }
        : { result: outcome },
  };

  it.each(Object.entries(WRONG_OUTCOMES))(
    'distinguishes %s from the expected outcome, for every vector',
    (_title, change) => {
      const undetected = vectors.filter((vector) => {
        const evaluateWrongly: EvaluateVector = (...input) => change(toEvaluator(run)(...input));
        return runVector(vector, evaluateWrongly).holds;
      });
      expect(undetected.map(({ id }) => id)).toEqual([]);
    },
  );

  it('reports the differences of each part', () => {
    const [vector] = read({
      claims: { 'x.n': 1 },
      expect: { passed: true, expiresAt: '2026-06-01T00:05:00.000Z' },
    });
    const verdict = vector && runVector(vector, () => ({ result: { passed: false } }));
    const differences = [
      'passed: expected true, got false',
      'expiresAt: expected "2026-06-01T00:05:00.000Z", got nothing',
    ];
    expect(verdict).toEqual({ holds: false, differences });
  });

  it('reports an exception of the implementation as a difference', () => {
    const [vector] = read({ claims: {}, expect: { error: { code: 'invalid_query' } } });
    const verdict = vector && runVector(vector, () => JSON.parse('{'));
    expect(verdict).toEqual({
      holds: false,
      differences: [expect.stringMatching(/^it threw SyntaxError: /)],
    });
  });

  it('compares the member order of whole results, but not of parts', () => {
    const result = { passed: true, type: 'predicate' };
    const other = { type: 'predicate', passed: true };
    const [wholeResult] = read({ claims: {}, expect: { result } });
    const [parts] = read({ claims: {}, expect: { passed: true, evidence: { b: 1, a: 2 } } });
    expect(wholeResult && runVector(wholeResult, () => ({ result })).holds).toBe(true);
    expect(wholeResult && runVector(wholeResult, () => ({ result: other })).holds).toBe(false);
    expect(
      parts && runVector(parts, () => ({ result: { passed: true, evidence: { a: 2, b: 1 } } })).holds,
    ).toBe(true);
  });
});

describe('readVectors', () => {
  const valid = { id: 'a-001', description: 'd', claims: {}, expect: { passed: true } };
  it.each<[string, object]>([
    ['an unknown member of a test', { ...valid, claim: {} }],
    ['neither claims nor credentials', { id: 'a-001', description: 'd', expect: { passed: true } }],
    ['claims and credentials', { ...valid, credentials: [] }],
    ['a malformed id', { ...valid, id: 'a1' }],
    ['an unknown member of an expectation', { ...valid, expect: { passed: true, reason: '' } }],
    ['an empty expectation', { ...valid, expect: {} }],
    ['an expectation of two kinds', { ...valid, expect: { passed: true, data: {} } }],
    ['a truth value that is a string', { ...valid, expect: { passed: 'true' } }],
    ['a truth value that is a string, with data', { ...valid, expect: { passed: 'true', data: {} } }],
    ['a truth value that is null', { ...valid, expect: { passed: null } }],
    ['both a result and parts of it', { ...valid, expect: { result: {}, passed: true } }],
    ['both an error and a result', { ...valid, expect: { error: { code: 'a' }, result: {} } }],
    [
      'an unknown member of a problem',
      { ...valid, expect: { error: { code: 'a', problems: [{ code: 'a', pointer: '', message: '' }] } } },
    ],
    [
      'an unknown member of a credential',
      {
        ...valid,
        claims: undefined,
        credentials: [{ id: 'a', source: 'b', issuedAt: 'c', claims: {}, expires: 'd' }],
      },
    ],
    ['scopes that are a string', { ...valid, scopes: 'all' }],
    ['an instant that is a number', { ...valid, at: 0 }],
  ])('rejects %s', (_name, test) => {
    expect(() => readVectors(createFile(JSON.parse(JSON.stringify(test))))).toThrow(TypeError);
  });

  it.each<[string, (file: ReturnType<typeof createFile>) => object]>([
    ['an unknown member of a file', (file) => ({ ...file, version: 1 })],
    ['a file without cases', (file) => ({ ...file, cases: [] })],
    // A template, so that this file does not count as a test that cites the decision.
    ['a decision without vectors', (file) => ({ ...file, decisions: [`L${26}`] })],
    ['no decisions', (file) => ({ ...file, decisions: [] })],
    [
      'an unknown member of a case',
      (file) => ({ ...file, cases: file.cases.map((entry) => ({ ...entry, skip: true })) }),
    ],
    ['an unknown member of a scope', (file) => ({ ...file, catalogue: [{ name: 'all', cover: ['x'] }] })],
    ['a repeated id', (file) => ({ ...file, cases: [...file.cases, ...file.cases] })],
  ])('rejects %s', (_title, change) => {
    expect(() => readVectors(change(createFile(valid)))).toThrow(TypeError);
  });

  it('accepts the valid file, and fills in its defaults', () => {
    expect(readVectors(createFile(valid))).toEqual([
      {
        id: 'a-001',
        description: 'c: d',
        decisions: ['L2'],
        query: { check: { claim: 'x.n', operator: '==', value: 1 } },
        credentials: [{ id: 'c1', source: 'issuer', issuedAt: '2026-01-01T00:00:00.000Z', claims: {} }],
        scopes: ['all'],
        catalogue: [{ name: 'all', covers: ['x', 'y', 'identity', 'kyc', 'financial'] }],
        at: '2026-06-01T00:00:00.000Z',
        expect: { passed: true },
      },
    ]);
  });
});

/** Removes the first problem and its duplicates. */
function withoutFirst({ code, problems = [], missing = [] }: ExpectedError): ExpectedError {
  const [first] = problems;
  const others = problems.filter(
    (problem) => problem.pointer !== first?.pointer || problem.code !== first.code,
  );
  return { code, problems: others, missing: missing.slice(1) };
}

function withOppositeResult(result: Readonly<Record<string, unknown>>): object {
  return result['type'] === 'predicate'
    ? { ...result, passed: result['passed'] !== true }
    : { ...result, data: {} };
}

function read(test: object): readonly Vector[] {
  return readVectors(createFile({ id: 'a-001', description: 'd', ...test }));
}

function createFile(test: object) {
  const query = { check: { claim: 'x.n', operator: '==', value: 1 } };
  return { title: 't', decisions: ['L2'], cases: [{ description: 'c', query, tests: [test] }] };
}
