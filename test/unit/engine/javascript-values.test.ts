/** JavaScript values that JSON text cannot represent are converted as by `JSON.stringify`, or rejected (L8, L15). */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type Credential, parseCredentials, QueryError } from '../../../src/index.js';
import { compile, parse } from '../../support/with-re2js.js';

function problemsOf(query: unknown): readonly (readonly [string, string])[] {
  try {
    parse(query);
    return [];
  } catch (error) {
    if (error instanceof QueryError)
      return error.problems.map(({ code, pointer }) => [code, pointer] as const);
    throw error;
  }
}

const check = (value: unknown) => ({ check: { claim: 'a.b', operator: '==', value } });

describe('a query as a JavaScript value', () => {
  it('may have undefined members, which count as absent', () => {
    const query = { check: { claim: 'a.b', operator: 'isDefined', value: undefined }, policy: undefined };
    expect(parse(query)).toEqual({ check: { claim: 'a.b', operator: 'isDefined' } });
    expect(parse(check({ x: undefined, y: 1 }))).toEqual(check({ y: 1 }));
  });

  it('may be an object without a prototype', () => {
    const bare = Object.assign(Object.create(null), {
      check: Object.assign(Object.create(null), check(1).check),
    });
    expect(parse(bare)).toEqual(check(1));
  });

  it.each([
    ['NaN', Number.NaN, '/check/value'],
    ['Infinity', [1, Number.POSITIVE_INFINITY], '/check/value/1'],
    ['a function', { f: () => 1 }, '/check/value/f'],
    ['a symbol', Symbol('x'), '/check/value'],
    ['a big integer', 1n, '/check/value'],
    ['a `Date`', new Date(0), '/check/value'],
    ['a map', new Map(), '/check/value'],
    ['a hole in a list', new Array(1), '/check/value/0'],
  ])('is rejected with an operand that is %s', (_title, value, pointer) => {
    expect(problemsOf(check(value))).toContainEqual(['operand_type', pointer]);
  });

  it.each([null, undefined, true, 1, 'x', [], new Date(0), () => 1])(
    'is rejected if it is %s instead of an object',
    (query) => {
      expect(problemsOf(query)).toEqual([['not_an_object', '']]);
    },
  );

  it('has a problem for each invalid entry and member', () => {
    expect(problemsOf(check([Number.NaN, 1, Number.NaN]))).toEqual([
      ['operand_type', '/check/value/0'],
      ['operand_type', '/check/value/2'],
    ]);
    expect(problemsOf(check({ a: Number.NaN, b: 1, c: Number.NaN }))).toEqual([
      ['operand_type', '/check/value/a'],
      ['operand_type', '/check/value/c'],
    ]);
  });

  // L7
  it('has one problem for a limit, however far it is exceeded', () => {
    const members = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`m${index}`, 1]));
    expect(problemsOf(check(members))).toEqual([['limit_list_entries', '/check/value']]);
    expect(problemsOf(check([members, members]))).toEqual([['limit_list_entries', '/check/value']]);
    const projections = [
      ...Array.from({ length: 64 }, (_, index) => ({ claim: `a.b${index}`, lens: 'pluck' })),
      1,
      2,
    ];
    expect(problemsOf({ projections })).toEqual([['limit_projections', '/projections']]);
  });

  // L17
  it('may have the string of a date as the operand of `>`, but not an array that contains it', () => {
    const ordering = (value: unknown) => ({ check: { claim: 'a.b', operator: '>', value } });
    expect([problemsOf(ordering('2026-01-01')), problemsOf(ordering(['2026-01-01']))]).toEqual([
      [],
      [['operand_type', '/check/value']],
    ]);
  });

  // L25
  it('has an index of −0 normalized to 0', () => {
    const query = parse({ projections: [{ claim: 'a.b', lens: 'at', index: -0 }] });
    expect(query).toEqual({ projections: [{ claim: 'a.b', lens: 'at', index: 0 }] });
  });

  // S149
  it('that contains itself is rejected, because it exceeds a limit', () => {
    const operand: unknown[] = [];
    operand.push(operand);
    expect(problemsOf(check(operand))).toEqual([['limit_operand_depth', '/check/value']]);
    const policy: Record<string, unknown> = {};
    policy['not'] = { policy };
    expect(problemsOf({ policy })).toMatchObject([['limit_depth', expect.any(String)]]);
  });

  // L7
  it('is rejected early if it repeats the same part 8^14 times', () => {
    let operand: unknown = [1];
    for (let level = 0; level < 14; level += 1) operand = Array(8).fill(operand);
    expect(problemsOf(check(operand))).toEqual([['limit_list_entries', '/check/value']]);
  });
});

describe('claims as JavaScript values', () => {
  const credential = (claims: Credential['claims']): Credential => ({
    id: 'c',
    source: 's',
    issuedAt: 0,
    claims,
  });

  it('do not change when the source credential is modified', () => {
    const list = ['PT'];
    const claims = ClaimSet.at([credential({ 'a.b': list })], 1);
    list.push('DE');
    expect(compile({ check: { claim: 'a.b', operator: 'contains', value: 'DE' } }).test(claims)).toBe(false);
  });

  // L9, S160
  it('never reach a prototype', () => {
    const claims = ClaimSet.at([credential({ 'a.b': JSON.parse('{"__proto__":{"admin":true}}') })], 1);
    for (const claim of [
      'a.b.admin',
      'a.b.toString',
      'a.b.constructor',
      'a.constructor',
      'hasOwnProperty.call',
    ]) {
      expect(compile({ check: { claim, operator: 'isDefined' } }).test(claims), claim).toBe(false);
    }
  });

  // S152
  it('may nest up to 16 deep; a claim that nests deeper counts as undefined', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const defined = compile({ check: { claim: 'a.b', operator: 'isDefined' } });
    const test = (depth: number) => defined.test(ClaimSet.at([credential({ 'a.b': nested(depth) })], 1));
    expect([test(16), test(17), test(4_000)]).toEqual([true, false, false]);
  });

  it('may have any JSON type; others are rejected', () => {
    const value = { list: [1, 'x', null, true, { y: [] }] };
    const [read] = parseCredentials([
      { id: 'c', source: 's', issuedAt: '2026-01-01', revokedAt: '2026-02-01', claims: { 'a.b': value } },
    ]);
    expect(read).toMatchObject({ revokedAt: Date.UTC(2026, 1, 1), claims: { 'a.b': value } });
    for (const claim of [Number.NaN, [Number.NaN], { x: new Date(0) }, 1n, () => 1]) {
      expect(() =>
        parseCredentials([{ id: 'c', source: 's', issuedAt: '2026-01-01', claims: { 'a.b': claim } }]),
      ).toThrow(/JSON value/);
    }
  });
});
