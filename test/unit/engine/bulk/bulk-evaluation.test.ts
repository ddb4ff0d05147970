/** Slices, progress, aborts and errors of bulk evaluation. */
import { describe, expect, it } from 'vitest';
import {
  evaluateManyInSlices as evaluateManyInSlicesWithoutRegex,
  evaluateMany as evaluateManyWithoutRegex,
} from '../../../../src/engine/index.js';
import {
  ClaimColumns,
  ClaimColumnsBuilder,
  type CompileOptions,
  createScopeCatalogue,
  QueryError,
} from '../../../../src/index.js';
import { compile, evaluateMany, evaluateManyInSlices, parse } from '../../../support/with-re2js.js';
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
  throw new Error('expected an exception');
}

function problemsOf(action: () => unknown): unknown {
  const error = errorOf(action);
  if (!(error instanceof QueryError)) throw error;
  return { code: error.code, message: error.message, problems: error.problems };
}

describe('evaluation in slices', () => {
  // V14
  it('reports progress once for each slice of columns that end with a slice, and never without rows', () => {
    for (const [rows, slices] of [
      [0, 0],
      [SLICE, 1],
      [2 * SLICE, 2],
    ] as const) {
      const reported: number[] = [];
      const ages = ClaimColumns.of({ 'a.age': new Float64Array(rows) });
      evaluateMany(adult, ages, { sliceRows: SLICE, onProgress: (done) => reported.push(done) });
      expect(reported).toEqual(Array.from({ length: slices }, (_, index) => (index + 1) * SLICE));
    }
  });

  // V14
  it('reports progress after each slice', () => {
    const reported: (readonly [number, number])[] = [];
    const onProgress = (done: number, total: number) => reported.push([done, total]);
    expect(evaluateMany(adult, columns, { sliceRows: SLICE, onProgress })).toEqual(expected);
    expect(reported).toEqual(
      [1, 2, 3].map((slice) => [slice * SLICE, columns.size]).concat([[columns.size, columns.size]]),
    );
  });

  // V14
  it('lets other tasks run between slices', async () => {
    const order: string[] = [];
    const result = await evaluateManyInSlices(adult, columns, {
      sliceRows: 2 * SLICE,
      onProgress: (done) => order.push(`${done} done`),
      pause: async () => order.push('pause'),
    });
    expect(result).toEqual(expected);
    expect(order).toEqual([`${2 * SLICE} done`, 'pause', `${columns.size} done`]);
  });

  // V14
  it('stops before the next slice when aborted', async () => {
    const abort = new AbortController();
    const reported: number[] = [];
    const onProgress = (done: number) => {
      reported.push(done);
      abort.abort(new Error('enough'));
    };
    const options = { sliceRows: SLICE, signal: abort.signal, onProgress };
    expect(() => evaluateMany(adult, columns, options)).toThrow('enough');
    expect(reported).toEqual([SLICE]);
    await expect(evaluateManyInSlices(adult, columns, { ...options, pause: async () => {} })).rejects.toThrow(
      'enough',
    );
    expect(reported).toEqual([SLICE]);
  });

  it('stops when a pause fails', async () => {
    const pause = () => Promise.reject(new Error('stopped'));
    await expect(evaluateManyInSlices(adult, columns, { sliceRows: SLICE, pause })).rejects.toThrow(
      'stopped',
    );
  });

  it.each([0, -8_192, 100, 8_192.5, Number.NaN])(
    'rejects the slice size %d, which is not a multiple of the block size',
    (sliceRows) => {
      expect(() => evaluateMany(adult, columns, { sliceRows })).toThrow(RangeError);
    },
  );
});

describe('a bulk evaluation rejects', () => {
  // S484
  it.each([
    ['undefined', undefined],
    ['an object', {}],
  ])(
    'a `pause` that returns no promise, since no other task would run during it: %s',
    async (name, result) => {
      const pause = () => result as never;
      await expect(evaluateManyInSlices(adult, columns, { sliceRows: SLICE, pause })).rejects.toThrow(
        new TypeError(`the result of \`pause\` must be a promise (got ${name})`),
      );
    },
  );

  // S435
  it('wrong options, slice sizes, pauses, columns and rows, with an error that names the argument', async () => {
    const inSlices = (options: unknown) => evaluateManyInSlices(adult, columns, options as never);
    await expect(evaluateManyInSlicesWithoutRegex(adult, columns, undefined as never)).rejects.toThrow(
      '`pause` must be a function (got undefined)',
    );
    await expect(inSlices({})).rejects.toThrow('`pause` must be a function (got undefined)');
    expect(() => evaluateMany(adult, columns, { sliceRows: '8192' as never })).toThrow(
      new TypeError('`sliceRows` must be a positive multiple of 8192 (got a string)'),
    );
    expect(() => ClaimColumns.of({ 'a.b': { codes: [0, 1], entries: ['x', 'y'] } as never })).toThrow(
      'an object with `codes`, a Uint8Array, Uint16Array, Uint32Array or Int32Array, and `entries`, an array (got an object)',
    );
    const builder = new ClaimColumnsBuilder({ now: NOW });
    expect(() => builder.addRow(claimSetOf({}) as never)).toThrow('use `addClaimSet` for claim sets');
    expect(() => compile(adult, { limits: { depth: '2' as never } })).toThrow(
      new TypeError('limit `depth` must be a whole number of 1 or more (got a string)'),
    );
  });
});

describe('a query of a bulk evaluation', () => {
  it('may be a parsed query', () => {
    expect(evaluateMany(parse(adult), columns)).toEqual(expected);
  });

  // L8
  it('is rejected as `compile` rejects it', () => {
    const wrong = { check: { claim: 'age', operator: '=>' } };
    expect(problemsOf(() => evaluateMany(wrong, columns))).toEqual(problemsOf(() => compile(wrong)));
  });

  it('must not be a projection', () => {
    expect(() => evaluateMany({ projections: [{ claim: 'a.age', lens: 'pluck' }] }, columns)).toThrow(
      TypeError,
    );
  });

  it('requires an engine for its patterns, as `compile` does', () => {
    const pattern = { check: { claim: 'a.age', operator: 'matchRegex', value: 'x' } };
    expect(() => evaluateManyWithoutRegex(pattern, columns)).toThrow(
      '`matchRegex` requires a regular-expression engine',
    );
    expect(evaluateManyWithoutRegex(adult, columns)).toEqual(expected);
  });
});

// S156
describe('the cost limit of patterns', () => {
  const query = {
    policy: {
      allOf: [
        { claim: 'a.one', operator: 'matchRegex', value: 'x' },
        { claim: 'a.two.b', operator: 'matchRegex', value: 'y' },
        { claim: 'a.absent', operator: 'matchRegex', value: 'z' },
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

  /** Evaluates subjects one by one. */
  function evaluateOneByOne(people: readonly Row[], options: CompileOptions): readonly number[] {
    const compiled = compile(query, options);
    return people.map((row) => Number(compiled.test(claimSetOf(row))));
  }

  it('fails with the error of the first subject that exceeds it', () => {
    let rejected = 0;
    for (let matchCost = 1; matchCost < 400; matchCost += 1) {
      const options = { limits: { matchCost } };
      let single: unknown;
      try {
        single = evaluateOneByOne(rows, options);
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        rejected += 1;
        single = { code: error.code, message: error.message, problems: error.problems };
        expect(problemsOf(() => evaluateMany(query, columnsOf(rows), options))).toEqual(single);
        continue;
      }
      expect([...evaluateMany(query, columnsOf(rows), options).passed.toBytes()]).toEqual(single);
    }
    expect(rejected).toBeGreaterThan(0);
    expect(rejected).toBeLessThan(399);
  });

  it('applies to each subject separately', () => {
    const people: readonly Row[] = [{ 'a.one': 'x'.repeat(20) }, { 'a.two': { b: 'y'.repeat(20) } }];
    const evaluateWithLimit = (limit: number) => {
      try {
        return evaluateOneByOne(people, { limits: { matchCost: limit } });
      } catch {
        return undefined;
      }
    };
    const minimum = Array.from({ length: 400 }, (_, limit) => limit + 1).find(
      (limit) => evaluateWithLimit(limit) !== undefined,
    );
    const builder = new ClaimColumnsBuilder({ now: NOW });
    for (const row of people) builder.addRow(row);
    const result = evaluateMany(query, builder.build(), { limits: { matchCost: minimum as number } });
    expect([...result.passed.toBytes()]).toEqual([0, 0]);
  });
});

describe('bulk evaluation', () => {
  const pause = async () => {};

  // S457
  it('rejects a catalogue of scopes and claims with the advice of `compile`, and accepts one of scopes', async () => {
    const whole = { scopes: [], claims: [{ path: 'a.age', type: 'integer' }] };
    for (const catalogue of [whole, 'x', {}] as never[]) {
      const error = errorOf(() => compile(adult, { catalogue }));
      expect(error).toBeInstanceOf(TypeError);
      expect(errorOf(() => evaluateMany(adult, columns, { catalogue }))).toEqual(error);
      await expect(evaluateManyInSlices(adult, columns, { catalogue, pause })).rejects.toEqual(error);
    }
    const scopes = createScopeCatalogue([{ name: 's', covers: ['a'] }]);
    for (const catalogue of [scopes, 'none'] as const)
      expect(evaluateMany(adult, columns, { catalogue })).toEqual(expected);
  });

  it('in slices names the missing `pause`, also without options', async () => {
    const message = '`pause` must be a function (got undefined)';
    for (const options of [undefined, {}] as never[])
      await expect(evaluateManyInSlicesWithoutRegex(adult, columns, options)).rejects.toThrow(message);
  });
});
