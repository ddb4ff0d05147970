/** Runs every example of the page on the query language, and checks its tables. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ClaimSet,
  createScopeCatalogue,
  DEFAULT_CLAIMS,
  DEFAULT_QUERY_LIMITS,
  DEFAULT_SCOPES,
  FORM_PROBLEM_CODES,
  type JsonValue,
  LIMIT_PROBLEM_CODES,
  OPERATOR_NAMES,
  QueryError,
} from '../../src/index.js';
import { compile, evaluate } from '../support/with-re2js.js';

interface Example {
  readonly query: unknown;
  readonly claims?: Readonly<Record<string, JsonValue>>;
  readonly scopes?: readonly string[];
  readonly passed?: boolean;
  readonly evidence?: unknown;
  readonly data?: unknown;
  readonly problems?: readonly (readonly [code: string, pointer: string])[];
  readonly missing?: unknown;
}

const PAGE = readFileSync(new URL('../../docs/reference/query-language.md', import.meta.url), 'utf8');
const NOW = Date.UTC(2026, 5, 1);
const CATEGORIES = createScopeCatalogue(
  ['identity', 'kyc', 'financial', 'a'].map((category) => ({ name: category, covers: [category] })),
);

const examples = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => ({
  line: PAGE.slice(0, PAGE.indexOf(text)).split('\n').length,
  example: JSON.parse(text) as Example,
}));

/** Evaluates an example, and returns the result in the format of the example. */
function outcome({ query, claims = {}, scopes }: Example): Partial<Example> {
  const credential = { id: 'c1', source: 'issuer', issuedAt: 0, claims };
  try {
    const result =
      scopes === undefined
        ? evaluate(query, [credential], { now: NOW, scopes: CATEGORIES.scopes, catalogue: CATEGORIES })
        : evaluate(query, [credential], { now: NOW, scopes });
    return result.type === 'predicate'
      ? { passed: result.passed, evidence: result.evidence }
      : { data: result.data };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    if (error.code === 'insufficient_scope') return { missing: error.missing };
    return { problems: error.problems.map(({ code, pointer }) => [code, pointer] as const) };
  }
}

describe('the examples of the language page', () => {
  it.each(examples)('have the stated result (line $line)', ({ example }) => {
    const { query: _query, claims: _claims, scopes: _scopes, ...expected } = example;
    expect(Object.keys(expected)).not.toEqual([]);
    const stated = Object.entries(outcome(example)).filter(([name]) => name in expected);
    expect(Object.fromEntries(stated)).toEqual(expected);
  });

  it('are more than twenty', () => {
    expect(examples.length).toBeGreaterThan(20);
  });

  // L8
  it('include a misspelled query, which is rejected with the messages below it', () => {
    const misspelled = examples.find(({ example }) => JSON.stringify(example.query).includes('isDefned'));
    const sentences = [...PAGE.matchAll(/`` (.*?) ``/g)].map(([, sentence]) => sentence);
    try {
      compile(misspelled?.example.query);
    } catch (error) {
      expect(error instanceof QueryError && error.problems.map(({ message }) => message)).toEqual(sentences);
      return;
    }
    throw new Error('the misspelled query must be rejected');
  });
});

describe('the tables of the language page', () => {
  const SAMPLES: Readonly<Record<string, readonly JsonValue[]>> = {
    null: [null],
    boolean: [true, false],
    number: [0, 17, -3.5],
    string: ['', 'abc', '2026-01-01', '2027-01-01'],
    array: [[], [1], ['abc', null]],
    object: [{}, { a: 1 }],
  };
  const OPERANDS = [
    ...Object.values(SAMPLES).flat(),
    [null, true, 0, 'abc', [1], { a: 1 }],
    [false, 17, '', [], {}],
    'ab',
  ];
  const header = ['undefined', 'null', 'boolean', 'number', 'string', 'array', 'object'];

  /** Whether an operator passes on claims of a type: `✓` always, `–` never, `?` depending on the value and the operand. */
  function cell(operator: string, type: string): string {
    const claims = (
      type === 'undefined' ? [{}] : (SAMPLES[type] ?? []).map((value) => ({ 'a.b': value }))
    ).map((claims) => ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims }], NOW));
    const queries =
      operator === 'isDefined'
        ? [{ claim: 'a.b', operator }]
        : OPERANDS.map((value) => ({ claim: 'a.b', operator, value }));
    const outcomes = new Set<boolean>();
    for (const check of queries) {
      try {
        const compiled = compile({ check });
        for (const set of claims) outcomes.add(compiled.test(set));
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
      }
    }
    if (outcomes.size > 1) return '?';
    return outcomes.has(true) ? '✓' : '–';
  }

  // L14, L15
  it.each(OPERATOR_NAMES)('match the engine in the row of %s', (operator) => {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${operator}\` |`));
    expect(
      row
        ?.split('|')
        .slice(3, -1)
        .map((text) => text.trim()),
    ).toEqual(header.map((type) => cell(operator, type)));
  });

  // L7, L8
  it('contain every limit and every problem code', () => {
    for (const code of [...FORM_PROBLEM_CODES, ...LIMIT_PROBLEM_CODES]) expect(PAGE).toContain(`\`${code}\``);
    for (const limit of Object.values(DEFAULT_QUERY_LIMITS))
      expect(PAGE).toContain(`| ${limit.toLocaleString('en-US')} |`);
  });

  it('are on a page that contains every rule', () => {
    for (let number = 1; number <= 25; number += 1)
      expect(PAGE).toMatch(new RegExp(`\\(?\\*{0,2}L${number}\\b`));
  });

  // L20
  it('are on a page that names a scope and a claim of the default catalogue', () => {
    for (const name of ['identity:date_of_birth', 'identity.date_of_birth']) expect(PAGE).toContain(name);
    expect(DEFAULT_SCOPES.map(({ name }) => name)).toContain('identity:date_of_birth');
    expect(DEFAULT_CLAIMS.map(({ path }) => path)).toContain('identity.date_of_birth');
  });
});
