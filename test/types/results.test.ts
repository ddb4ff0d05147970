/** Checks the types of results: lines that must compile, and lines that must not. */
import { expect, it } from 'vitest';
import { typeErrors } from '../support/type-errors.js';

const HEAD = [
  "import { ClaimSet, type CompiledQuery, compile, compilePredicate, compileProjection, createEngine, evaluate, parse } from '../../src/index.js';",
  "import { p } from '../../src/builder/index.js';",
  "const claims = ClaimSet.of({ 'identity.age': 34 }, { now: 0 });",
  "const options = { scopes: ['identity:date_of_birth'] };",
  "const adult = { check: { claim: 'identity.age', operator: '>=', value: 18 } } as const;",
  'declare const unknownJson: unknown;',
  'declare const anyJson: any;',
];

/** Each line, with the expected error of the compiler; a line without one must compile. */
const LINES: readonly (readonly [title: string, line: string, error?: RegExp])[] = [
  ['a literal check has a verdict', 'compile(adult).evaluate(claims, options).passed'],
  [
    'a check written in place has a verdict',
    "compile({ check: { claim: 'a.b', operator: 'isDefined' } }).evaluate(claims, options).passed",
  ],
  [
    'a policy has evidence',
    'compile({ policy: { not: adult } }).evaluate(claims, options).evidence.checkResults',
  ],
  [
    'literal projections have data',
    "compile({ projections: [{ claim: 'a.b', lens: 'pluck' }] }).evaluate(claims, options).data",
  ],
  [
    'a condition of the builder has a verdict',
    "compile(p.claim('identity.age').gte(18).query).evaluate(claims, options).passed",
  ],
  [
    'projections of the builder have data',
    "compile(p.project(p.claim('identity.age').pluck()).query).evaluate(claims, options).data",
  ],
  [
    'literal projections have the requested claims',
    "compile({ projections: [{ claim: 'a.b', lens: 'pluck' }, { claim: 'a.c', lens: 'at', index: 0 }] }).evaluate(claims, options).data['a.c']",
  ],
  [
    'literal projections have no claim that was not requested',
    "compile({ projections: [{ claim: 'a.b', lens: 'pluck' }] }).evaluate(claims, options).data['a.c']",
    /Property 'a\.c' does not exist on type/,
  ],
  [
    'projections of the builder have the requested claims',
    "compile(p.project(p.claim('identity.age').pluck(), p.claim('identity.email').pluck()).query).evaluate(claims, options).data['identity.email']",
  ],
  [
    'projections of the builder have no claim that was not requested',
    "compile(p.project(p.claim('identity.age').pluck()).query).evaluate(claims, options).data['identity.email']",
    /Property 'identity\.email' does not exist on type/,
  ],
  [
    'projections that are not literal may have any claim',
    "compile({ projections: [{ claim: anyJson as string, lens: 'pluck' }] }).evaluate(claims, options).data['a.c']",
  ],
  [
    'a list of projections of unknown length may have any claim',
    "compile({ projections: anyJson as { claim: 'a.b'; lens: 'pluck' }[] }).evaluate(claims, options).data['a.c']",
  ],
  [
    'compiled literal projections are a compiled query',
    "[compile({ projections: [{ claim: 'a.b', lens: 'pluck' }] })] satisfies CompiledQuery[]",
  ],
  [
    'unknown JSON is a predicate where that is required',
    'compilePredicate(unknownJson).evaluate(claims, options).passed',
  ],
  [
    'unknown JSON is projections where that is required',
    'compileProjection(unknownJson).evaluate(claims, options).data',
  ],
  ['an evaluation in one call has a verdict', 'evaluate(adult, [], { now: 0, ...options }).passed'],
  [
    'no scope is required without a catalogue',
    "compile(adult, { catalogue: 'none' }).evaluate(claims).passed",
  ],
  [
    'no scope is required by an engine without a catalogue',
    "createEngine({ catalogue: 'none' }).compile(adult).evaluate(claims).passed",
  ],
  ['plain claims may be undefined', "ClaimSet.of({ 'a.b': unknownJson, 'a.c': undefined })"],
  [
    'plain claims may be a record of unknown values',
    'ClaimSet.of(anyJson as Readonly<Record<string, unknown>>)',
  ],
  ['an engine returns typed results', 'createEngine().compile(adult).evaluate(claims, options).passed'],
  [
    'unknown JSON has a result of either form, so `passed` is an error',
    'compile(unknownJson).evaluate(claims, options).passed',
    /Property 'passed' does not exist on type 'ProjectionResult'/,
  ],
  [
    'JSON of type `any` has a result of either form, so `passed` is an error',
    'compile(anyJson).evaluate(claims, options).passed',
    /Property 'passed' does not exist on type 'ProjectionResult'/,
  ],
  [
    'a parsed query has a result of either form, so `passed` is an error',
    'compile(parse(adult)).evaluate(claims, options).passed',
    /Property 'passed' does not exist on type 'ProjectionResult'/,
  ],
  [
    'a check has no data',
    'compile(adult).evaluate(claims, options).data',
    /Property 'data' does not exist on type 'PredicateResult'/,
  ],
  [
    'scopes are required with a catalogue',
    'compile(adult).evaluate(claims)',
    /Expected 2 arguments, but got 1/,
  ],
  [
    'a cast to `never` has a result of either form, so `passed` is an error',
    'compile(unknownJson as never).evaluate(claims, options).passed',
    /Property 'passed' does not exist on type 'ProjectionResult'/,
  ],
  ['a query of unknown JSON may be tested', 'compile(unknownJson).test(claims)'],
  [
    'projections have no outcome to test',
    "compile({ projections: [{ claim: 'a.b', lens: 'pluck' }] }).test(claims)",
    /'ClaimSet' is not assignable to parameter of type 'never'/,
  ],
  [
    'projections of unknown JSON have no outcome to check',
    'createEngine().compileProjection(unknownJson).check(claims)',
    /'ClaimSet' is not assignable to parameter of type 'never'/,
  ],
  [
    'projections of the builder have no outcome to test',
    "compile(p.project(p.claim('identity.age').pluck()).query).test(claims)",
    /'ClaimSet' is not assignable to parameter of type 'never'/,
  ],
  [
    'a claim set is required',
    "compile(adult).test({ 'identity.age': 34 })",
    /Object literal may only specify known properties|not assignable to parameter of type 'ClaimSet'/,
  ],
];

// S461, S481
it('the result of a query has the type of its form', async () => {
  const text = [...HEAD, ...LINES.map(([, line], index) => `export const line${index} = ${line};`)].join(
    '\n',
  );
  const errors = await typeErrors(text, {
    compilerOptions: { target: 'ES2022', lib: ['ES2024'], types: [], exactOptionalPropertyTypes: true },
  });
  expect(errors.filter(({ file, line }) => file !== 'checked.ts' || line < HEAD.length)).toEqual([]);
  for (const [index, [title, , error]] of LINES.entries()) {
    const found = errors
      .filter(({ file, line }) => file === 'checked.ts' && line === HEAD.length + index)
      .map(({ message }) => message)
      .join('\n');
    if (error === undefined) expect(found, title).toBe('');
    else expect(found, title).toMatch(error);
  }
});
