/** Runs every vector with every way to evaluate. */
import { describe, expect, it } from 'vitest';
import {
  ClaimSet,
  type CompileOptions,
  type Credential,
  canonicalText,
  compile,
  createScopeCatalogue,
  type EvaluateOptions,
  evaluate,
  parse,
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
import { readVectorFiles } from '../vectors/vector-files.js';

type Way = (
  query: unknown,
  credentials: readonly Credential[],
  options: EvaluateOptions & CompileOptions,
) => QueryResult;

const run: Way = (query, credentials, options) =>
  compile(query, options).evaluate(ClaimSet.at(credentials, options.now), options);

const EVALUATORS: Readonly<Record<string, Way>> = {
  'compile, then evaluate': run,
  'evaluate in one step': evaluate,
  'compile what parse gave': (query, credentials, options) => run(parse(query), credentials, options),
  'compile the canonical text': (query, credentials, options) =>
    run(JSON.parse(canonicalText(parse(query))), credentials, options),
  'credentials in reverse': (query, credentials, options) => run(query, [...credentials].reverse(), options),
  'scopes in reverse': (query, credentials, options) =>
    run(query, credentials, { ...options, scopes: [...options.scopes].reverse() }),
  'one claim set for several queries': (query, credentials, options) => {
    const claims = ClaimSet.at(credentials, options.now);
    compile({ check: { claim: 'x.first', operator: 'isDefined' } }).test(claims);
    return compile(query, options).evaluate(claims, options);
  },
};

function instant(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(`the vector has no such instant: ${text}`);
  return at;
}

/** Credentials without parsing: a vector may have claims that `parseCredentials` would reject. */
function toCredential({ issuedAt, expiresAt, revokedAt, ...rest }: VectorCredential): Credential {
  return {
    ...rest,
    issuedAt: instant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: instant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: instant(revokedAt) }),
  };
}

function adapt(way: Way): EvaluateVector {
  return (query, credentials, { scopes, at, catalogue }) => {
    const options = { now: instant(at), scopes, catalogue: createScopeCatalogue(catalogue) };
    try {
      return { result: way(query, credentials.map(toCredential), options) };
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

describe.each(readVectorFiles())('$name', ({ vectors }) => {
  it.each(vectors.map((vector) => ({ ...vector, cited: vector.decisions.join(', '), vector })))(
    '$id: $description ($cited)',
    ({ vector }) => {
      const before = JSON.stringify(vector);
      const verdicts = Object.entries(EVALUATORS).map(([name, way]) => ({
        name,
        ...runVector(vector, adapt(way)),
      }));
      expect(verdicts.filter(({ holds }) => !holds)).toEqual([]);
      expect(JSON.stringify(vector), 'the vector was modified').toBe(before);
    },
  );

  // L24
  it('gives the same bytes for the same four inputs, in every way', () => {
    const unstable = vectors.filter((vector) => {
      const answers = Object.values(EVALUATORS).flatMap((way) => [
        bytes(adapt(way), vector),
        bytes(adapt(way), vector),
      ]);
      return new Set(answers).size > 1;
    });
    expect(unstable.map(({ id }) => id)).toEqual([]);
  });

  // L21
  it('gives the same outcome from `test` and `evaluate`', () => {
    const wrong = vectors.filter(({ query, credentials, expect: expected, at }) => {
      const parts = 'result' in expected ? expected.result : expected;
      if (!('passed' in parts)) return false;
      const claims = ClaimSet.at(credentials.map(toCredential), instant(at));
      return compile(query).test(claims) !== parts['passed'];
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  // L25
  it('gives the canonical text of the vector', () => {
    const wrong = vectors.flatMap(({ id, query, canonical }) => {
      if (canonical === undefined || canonicalText(parse(query)) === canonical) return [];
      return [{ id, canonical, got: canonicalText(parse(query)) }];
    });
    expect(wrong).toEqual([]);
  });
});

describe('the vector runner', () => {
  const vectors = readVectorFiles().flatMap((file) => file.vectors);
  const WRONG: Readonly<Record<string, (right: Outcome) => Outcome>> = {
    'no answer at all': () => ({ result: undefined }),
    'an empty result': () => ({ result: {} }),
    'a refusal for another reason': () => ({ error: { code: 'refused' } }),
    'one problem less': (right) =>
      'error' in right ? { error: withoutFirst(right.error) } : { result: null },
    'one problem more': (right) =>
      'error' in right && right.error.missing?.length === 0
        ? {
            error: {
              ...right.error,
              problems: [...(right.error.problems ?? []), { code: 'form_missing', pointer: '/~' }],
            },
          }
        : { result: null },
    'the other of passed and failed': (right) =>
      'result' in right ? { result: flipped(right.result as Record<string, unknown>) } : { result: right },
  };

  it.each(Object.entries(WRONG))(
    'distinguishes %s from the expected outcome, for every vector',
    (_name, spoil) => {
      const fooled = vectors.filter((vector) => {
        const answer: EvaluateVector = (...question) => spoil(adapt(run)(...question));
        return runVector(vector, answer).holds;
      });
      expect(fooled.map(({ id }) => id)).toEqual([]);
    },
  );

  it('reports differences part by part', () => {
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
    expect(verdict?.holds).toBe(false);
  });

  it('compares the member order of whole results, but not of parts', () => {
    const result = { passed: true, type: 'predicate' };
    const other = { type: 'predicate', passed: true };
    const [whole] = read({ claims: {}, expect: { result } });
    const [parts] = read({ claims: {}, expect: { passed: true, evidence: { b: 1, a: 2 } } });
    expect(whole && runVector(whole, () => ({ result })).holds).toBe(true);
    expect(whole && runVector(whole, () => ({ result: other })).holds).toBe(false);
    expect(
      parts && runVector(parts, () => ({ result: { passed: true, evidence: { a: 2, b: 1 } } })).holds,
    ).toBe(true);
  });
});

describe('readVectors', () => {
  const right = { id: 'a-001', description: 'd', claims: {}, expect: { passed: true } };
  it.each<[string, object]>([
    ['an unknown member of a test', { ...right, claim: {} }],
    ['neither claims nor credentials', { id: 'a-001', description: 'd', expect: { passed: true } }],
    ['claims and credentials', { ...right, credentials: [] }],
    ['an id of another form', { ...right, id: 'a1' }],
    ['an unknown member of an expectation', { ...right, expect: { passed: true, reason: '' } }],
    ['an expectation of nothing', { ...right, expect: {} }],
    ['an expectation of two things', { ...right, expect: { passed: true, data: {} } }],
    ['a truth value that is none', { ...right, expect: { passed: 'true' } }],
    ['a result beside parts of it', { ...right, expect: { result: {}, passed: true } }],
    ['an error beside a result', { ...right, expect: { error: { code: 'a' }, result: {} } }],
    [
      'an unknown member of a problem',
      { ...right, expect: { error: { code: 'a', problems: [{ code: 'a', pointer: '', message: '' }] } } },
    ],
    [
      'an unknown member of a credential',
      {
        ...right,
        claims: undefined,
        credentials: [{ id: 'a', source: 'b', issuedAt: 'c', claims: {}, expires: 'd' }],
      },
    ],
    ['scopes that are no list', { ...right, scopes: 'all' }],
    ['an instant that is a number', { ...right, at: 0 }],
  ])('rejects %s', (_name, test) => {
    expect(() => readVectors(aFile(JSON.parse(JSON.stringify(test))))).toThrow(TypeError);
  });

  it.each<[string, (file: ReturnType<typeof aFile>) => object]>([
    ['an unknown member of a file', (file) => ({ ...file, version: 1 })],
    ['a file without cases', (file) => ({ ...file, cases: [] })],
    ['a decision that there is not', (file) => ({ ...file, decisions: ['L26'] })],
    ['no decisions', (file) => ({ ...file, decisions: [] })],
    [
      'an unknown member of a case',
      (file) => ({ ...file, cases: file.cases.map((entry) => ({ ...entry, skip: true })) }),
    ],
    ['an unknown member of a scope', (file) => ({ ...file, catalogue: [{ name: 'all', cover: ['x'] }] })],
    ['an id that stands twice', (file) => ({ ...file, cases: [...file.cases, ...file.cases] })],
  ])('rejects %s', (_name, spoil) => {
    expect(() => readVectors(spoil(aFile(right)))).toThrow(TypeError);
  });

  it('accepts the valid file, and fills in its defaults', () => {
    expect(readVectors(aFile(right))).toEqual([
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

/** Problems are a set: removes the first one, and those with the same pointer. */
function withoutFirst({ code, problems = [], missing = [] }: ExpectedError): ExpectedError {
  const [first] = problems;
  const others = problems.filter(
    (problem) => problem.pointer !== first?.pointer || problem.code !== first.code,
  );
  return { code, problems: others, missing: missing.slice(1) };
}

function flipped(result: Readonly<Record<string, unknown>>): object {
  return result['type'] === 'predicate'
    ? { ...result, passed: result['passed'] !== true }
    : { ...result, data: {} };
}

function read(test: object): readonly Vector[] {
  return readVectors(aFile({ id: 'a-001', description: 'd', ...test }));
}

function aFile(test: object) {
  const query = { check: { claim: 'x.n', operator: '==', value: 1 } };
  return { title: 't', decisions: ['L2'], cases: [{ description: 'c', query, tests: [test] }] };
}
