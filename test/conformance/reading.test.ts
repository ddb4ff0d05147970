/** Checks that the engine's parser and the reference interpreter's reader, which share no code, read every query alike. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as engine from '../../src/engine/index.js';
import { re2js } from '../../src/index.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import { canonicalize } from '../../src/testing/index.js';
import { readVectorFiles } from '../vectors/vector-files.js';
import { buildEngine } from './build-engine.js';
import { malformedQuery } from './malformed-query.js';

const RUNS = 4_000;
const SEED = 27;

type Parser = Pick<typeof engine, 'parse' | 'canonicalText' | 'QueryError'>;

const regex = cachePatterns(re2js);

/** Random queries with the outcomes of the reference interpreter, drawn once for all tests. */
const queries = fc
  .sample(malformedQuery(), { numRuns: RUNS, seed: SEED })
  .map((query) => ({ query, expected: outcomeOf(() => canonicalize(query, { regex }), engine) }));

describe('4,000 random queries, most of them malformed', () => {
  // L1–L9, L25
  it('give the same problems or the same canonical text in the engine and in the reference interpreter', () => {
    for (const { query, expected } of queries) expect(read(query, engine), show(query)).toEqual(expected);
  });

  it('cover every problem code of a query', () => {
    const found = new Set(queries.flatMap(({ expected }) => expected.problems.map(({ code }) => code)));
    const all = [...engine.FORM_PROBLEM_CODES, ...engine.LIMIT_PROBLEM_CODES];
    // The cost of matching depends on claims.
    expect([...found].sort()).toEqual(all.filter((code) => code !== 'limit_match_cost').sort());
  });

  it.each([
    {
      fault: 'unknown members are reported in the order in which they were sent',
      file: 'query/members.ts',
      find: 'of unknown.sort()',
      replace: 'of unknown',
    },
    {
      fault: 'a transposition counts as two edits',
      file: 'names.ts',
      find: 'if (isSwapped)',
      replace: 'if (!isSwapped && isSwapped)',
    },
    {
      fault: 'an ambiguous item is counted as a check',
      file: 'query/read-policy.ts',
      find: 'const [claim, operatorMember] =',
      replace: 'countCheck(pointer, context);\n  const [claim, operatorMember] =',
    },
    {
      fault: 'a wrapped policy is not counted as a further level of depth',
      file: 'query/read-policy.ts',
      find: 'if (policy) return readPolicy(policy, depth + 1, context);',
      replace: 'if (policy) return readPolicy(policy, depth, context);',
    },
    {
      fault: 'the value of a member with a long name is read',
      file: 'query/read-operand.ts',
      find: 'isShort ? this.read(',
      replace: 'isShort || true ? this.read(',
    },
    {
      fault: 'the work of a repeated pattern is added again',
      file: 'query/read-operand.ts',
      find: 'if (!patterns.has(value)) patterns.set',
      replace: 'patterns.set',
    },
    {
      fault: 'a repeated projection is reported for malformed claims too',
      file: 'query/read-projections.ts',
      find: 'const claim = readClaimPath(member, context);\n  if (claim === undefined)',
      replace: 'const claim = String(readClaimPath(member, context));\n  if (claim === "")',
    },
    {
      fault: '−0 in operands stays −0 in the canonical text',
      file: 'query/query.ts',
      find: 'return JSON.stringify(value);',
      replace: "return Object.is(value, -0) ? '-0' : JSON.stringify(value);",
    },
  ])('detect a planted fault of the parser: $fault', async ({ file, find, replace }) => {
    const faulty = (await buildEngine(file, (text) => {
      expect(text.split(find)).toHaveLength(2);
      return text.replace(find, () => replace);
    })) as unknown as Parser;
    const found = queries.findIndex(
      ({ query, expected }) => JSON.stringify(read(query, faulty)) !== JSON.stringify(expected),
    );
    expect(found).toBeGreaterThanOrEqual(0);
  });
});

describe('the vectors', () => {
  // L25
  it('have the canonical texts that the reference interpreter writes', () => {
    const vectors = readVectorFiles().flatMap((file) => file.vectors);
    for (const { id, query, canonical } of vectors)
      if (canonical !== undefined) expect(canonicalize(query, { regex }), id).toBe(canonical);
  });
});

/** The canonical text of a query, or its problems in order. */
interface ReadOutcome {
  readonly text?: string;
  readonly code?: string;
  readonly problemCount?: number;
  readonly problems: readonly { readonly code: string; readonly pointer: string; readonly limit?: number }[];
}

function read(query: unknown, parser: Parser): ReadOutcome {
  return outcomeOf(() => parser.canonicalText(parser.parse(query, { regex })), parser);
}

function outcomeOf(write: () => string, { QueryError }: Pick<Parser, 'QueryError'>): ReadOutcome {
  try {
    return { text: write(), problems: [] };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, problemCount } = error;
    const problems = error.problems.map(({ message: _message, ...problem }) => problem);
    return { code, problemCount, problems };
  }
}

function show(query: unknown): string {
  return (JSON.stringify(query) ?? String(query)).slice(0, 1_000);
}
