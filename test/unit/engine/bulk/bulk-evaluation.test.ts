/** How many people are evaluated: in slices, told of, ended early, and refused as one would be. */
import { describe, expect, it } from 'vitest';
import { evaluateMany as evaluateManyWithoutRegex } from '../../../../src/engine/index.js';
import {
  ClaimColumns,
  ClaimColumnsBuilder,
  type CompileOptions,
  compile,
  evaluateMany,
  evaluateManyInSlices,
  parse,
  QueryError,
} from '../../../../src/index.js';
import { claimSetOf, columnsOf, NOW, type Row } from './one-by-one.js';

const SLICE = 8_192;
const adult = { check: { claim: 'a.age', operator: '>=', value: 18 } };
const columns = ClaimColumns.of({
  'a.age': Float64Array.from({ length: 3 * SLICE + 5 }, (_, row) => row % 36),
});
const expected = evaluateMany(adult, columns);

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function problemsOf(action: () => unknown): unknown {
  const error = errorOf(action);
  if (!(error instanceof QueryError)) throw error;
  return { code: error.code, message: error.message, problems: error.problems };
}

describe('in slices', () => {
  // V14
  it('each is told of', () => {
    const told: (readonly [number, number])[] = [];
    const onProgress = (done: number, total: number) => told.push([done, total]);
    expect(evaluateMany(adult, columns, { sliceRows: SLICE, onProgress })).toEqual(expected);
    expect(told).toEqual(
      [1, 2, 3].map((slice) => [slice * SLICE, columns.size]).concat([[columns.size, columns.size]]),
    );
  });

  // V14
  it('others run between them', async () => {
    const order: string[] = [];
    const answer = await evaluateManyInSlices(adult, columns, {
      sliceRows: 2 * SLICE,
      onProgress: (done) => order.push(`${done} done`),
      pause: async () => order.push('pause'),
    });
    expect(answer).toEqual(expected);
    expect(order).toEqual([`${2 * SLICE} done`, 'pause', `${columns.size} done`]);
  });

  // V14
  it('an abort ends it before the next', async () => {
    const abort = new AbortController();
    const told: number[] = [];
    const onProgress = (done: number) => {
      told.push(done);
      abort.abort(new Error('enough'));
    };
    const options = { sliceRows: SLICE, signal: abort.signal, onProgress };
    expect(() => evaluateMany(adult, columns, options)).toThrow('enough');
    expect(told).toEqual([SLICE]);
    await expect(evaluateManyInSlices(adult, columns, { ...options, pause: async () => {} })).rejects.toThrow(
      'enough',
    );
    expect(told).toEqual([SLICE]);
  });

  it('a pause that fails ends it', async () => {
    const pause = () => Promise.reject(new Error('stopped'));
    await expect(evaluateManyInSlices(adult, columns, { sliceRows: SLICE, pause })).rejects.toThrow(
      'stopped',
    );
  });

  it.each([0, -8_192, 100, 8_192.5, Number.NaN])('they are whole numbers of blocks, not %d', (sliceRows) => {
    expect(() => evaluateMany(adult, columns, { sliceRows })).toThrow(RangeError);
  });
});

describe('a query for many', () => {
  it('may be parsed already', () => {
    expect(evaluateMany(parse(adult), columns)).toEqual(expected);
  });

  // L8
  it('is refused as a query for one is', () => {
    const wrong = { check: { claim: 'age', operator: '=>' } };
    expect(problemsOf(() => evaluateMany(wrong, columns))).toEqual(problemsOf(() => compile(wrong)));
  });

  it('is no projection', () => {
    expect(() => evaluateMany({ projections: [{ claim: 'a.age', lens: 'pluck' }] }, columns)).toThrow(
      TypeError,
    );
  });

  it('needs an engine for its patterns, as a query for one does', () => {
    const pattern = { check: { claim: 'a.age', operator: 'matchRegex', value: 'x' } };
    expect(() => evaluateManyWithoutRegex(pattern, columns)).toThrow(
      '`matchRegex` requires a regular-expression engine',
    );
    expect(evaluateManyWithoutRegex(adult, columns)).toEqual(expected);
  });
});

// S156
describe('what patterns cost on someone', () => {
  const query = {
    policy: {
      allOf: [
        { claim: 'a.one', operator: 'matchRegex', value: 'x' },
        { claim: 'a.two.b', operator: 'matchRegex', value: 'y' },
        { claim: 'a.nobody', operator: 'matchRegex', value: 'z' },
        { claim: 'a.age', operator: 'matchRegex', value: '1' },
      ],
    },
  };
  const rows: readonly Row[] = [
    { 'a.one': 'x'.repeat(20), 'a.two': { b: 'y' }, 'a.age': 1 },
    { 'a.one': ['x'.repeat(99)], 'a.two': { b: 'y'.repeat(20) }, 'a.age': 2 },
    { 'a.one': 'x'.repeat(15), 'a.two': { b: 'y'.repeat(15) }, 'a.age': 3 },
    { 'a.one': 'x'.repeat(30), 'a.two': { b: 'y'.repeat(30) }, 'a.age': 4 },
  ];

  /** One by one, in their order. */
  function oneByOne(people: readonly Row[], options: CompileOptions): readonly number[] {
    const compiled = compile(query, options);
    return people.map((row) => Number(compiled.test(claimSetOf(row))));
  }

  it('is refused with what the first of them would be refused with', () => {
    let refused = 0;
    for (let matchCost = 1; matchCost < 400; matchCost += 1) {
      const options = { limits: { matchCost } };
      let one: unknown;
      try {
        one = oneByOne(rows, options);
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        refused += 1;
        one = { code: error.code, message: error.message, problems: error.problems };
        expect(problemsOf(() => evaluateMany(query, columnsOf(rows), options))).toEqual(one);
        continue;
      }
      expect([...evaluateMany(query, columnsOf(rows), options).passed.toBytes()]).toEqual(one);
    }
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(399);
  });

  it('does not stand against people who are each within the limit', () => {
    const apart: readonly Row[] = [{ 'a.one': 'x'.repeat(20) }, { 'a.two': { b: 'y'.repeat(20) } }];
    const program = (limit: number) => {
      try {
        return oneByOne(apart, { limits: { matchCost: limit } });
      } catch {
        return undefined;
      }
    };
    const least = Array.from({ length: 400 }, (_, limit) => limit + 1).find(
      (limit) => program(limit) !== undefined,
    );
    const builder = new ClaimColumnsBuilder({ now: NOW });
    for (const row of apart) builder.addRow(row);
    const answer = evaluateMany(query, builder.build(), { limits: { matchCost: least as number } });
    expect([...answer.passed.toBytes()]).toEqual([0, 0]);
  });
});
