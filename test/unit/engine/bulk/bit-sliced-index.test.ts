/** Checks that bit-sliced indexes give the same results as table lookups (V14). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitSlicedKernel, createBitSlicedIndex } from '../../../../src/engine/bulk/bit-sliced-index.js';
import { LOOKUPS_BEFORE_INDEX } from '../../../../src/engine/bulk/claim-columns.js';
import { type Kernel, lookupKernel } from '../../../../src/engine/bulk/kernels.js';
import { BLOCK_ROWS, SelectionBitmap } from '../../../../src/engine/bulk/row-set.js';
import {
  ClaimColumns,
  type DictionaryColumn,
  type JsonValue,
  toClaimReference,
} from '../../../../src/index.js';
import { evaluateMany } from '../../../support/with-re2js.js';

/**
 * Returns the number of steps that a table of outcomes requires. The table is split into halves down to single ranks; each distinct part whose
 * halves differ is a step. An upper half beyond the last rank equals the lower one.
 */
function countSteps(holds: readonly number[], bits: number): number {
  const parts = new Set<string>();
  const fill = (from: number, slice: number): string => {
    if (slice === 0) return String(holds[from]);
    const half = 2 ** (slice - 1);
    const low = fill(from, slice - 1);
    const outcomes = low + (from + half < holds.length ? fill(from + half, slice - 1) : low);
    if (outcomes.slice(0, half) !== outcomes.slice(half)) parts.add(outcomes);
    return outcomes;
  };
  fill(0, bits);
  return parts.size;
}

/** The words of the bitmap of rows that a kernel selects. */
function selectedWords(kernel: Kernel, rows: number): readonly number[] {
  const words: number[] = [];
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - start);
    const selection = new SelectionBitmap();
    selection.reset(count);
    kernel(selection, start, count);
    words.push(...selection.words.slice(0, (count + 31) >>> 5));
  }
  return words;
}

const VALUES: readonly (JsonValue | undefined)[] = [
  ...[undefined, null, true, false, -1.5, 0, 7, 18, 1e300],
  ...['', 'a', 'b', 'é', ['DE'], ['DE', 'FR'], { a: 1 }],
];

describe('a bit-sliced index', () => {
  // V14
  it('gives the results of table lookups if the entries of a dictionary have a hole', () => {
    const entries: JsonValue[] = [];
    for (const [index, country] of ['DE', 'FR', 'IT'].entries()) entries[index + 1] = country;
    const codes = Uint16Array.from({ length: 100 }, (_, row) => row % 4);
    const columns = ClaimColumns.of({ 'a.b': { codes, entries } });
    const query = { check: { claim: 'a.b', operator: '==', value: 'DE' } };
    for (let lookups = 1; lookups <= LOOKUPS_BEFORE_INDEX; lookups += 1)
      expect(evaluateMany(query, columns).count).toBe(25);
  });

  // V14
  it('gives the results of table lookups, for any values and checks', () => {
    const table = fc
      .shuffledSubarray([...VALUES], { minLength: 1 })
      .chain((entries) =>
        fc.tuple(
          fc.constant(entries),
          fc.array(fc.integer({ min: 0, max: 1 }), { minLength: entries.length, maxLength: entries.length }),
          fc.array(fc.integer({ min: 0, max: entries.length - 1 }), { minLength: 1, maxLength: 200 }),
        ),
      );
    let indexed = 0;
    fc.assert(
      fc.property(table, ([entries, outcomes, drawn]) => {
        const codes = Uint16Array.from(drawn);
        const holds = Uint8Array.from(outcomes);
        const kernel = bitSlicedKernel(createBitSlicedIndex(codes, entries), holds);
        if (kernel === undefined) return;
        indexed += 1;
        expect(selectedWords(kernel, codes.length)).toEqual(
          selectedWords(lookupKernel({ codes, holds }), codes.length),
        );
      }),
      { seed: 7 },
    );
    expect(indexed).toBeGreaterThan(50);
  });

  // V14
  it('is evaluated in blocks, up to the last subject of the last block', () => {
    const codes = Uint16Array.from({ length: 2 * BLOCK_ROWS + 77 }, (_, row) => row % 90);
    const entries = Array.from({ length: 90 }, (_, age) => age);
    const holds = Uint8Array.from(entries, (age) => Number(age >= 18));
    const kernel = bitSlicedKernel(createBitSlicedIndex(codes, entries), holds) as Kernel;
    expect(selectedWords(kernel, codes.length)).toEqual(
      selectedWords(lookupKernel({ codes, holds }), codes.length),
    );
  });

  it('supports codes without an entry, which occur in no row', () => {
    const codes = Uint16Array.from({ length: 200 }, (_, row) => row % 40);
    const index = createBitSlicedIndex(
      codes,
      Array.from({ length: 90 }, (_, age) => age),
    );
    const holds = Uint8Array.from({ length: 40 }, (_, age) => Number(age >= 18));
    const kernel = bitSlicedKernel(index, holds) as Kernel;
    expect(selectedWords(kernel, codes.length)).toEqual(
      selectedWords(lookupKernel({ codes, holds }), codes.length),
    );
  });

  // V14
  it('is not used for a check with scattered values, where lookups are faster', () => {
    const entries = Array.from({ length: 256 }, (_, value) => value);
    const index = createBitSlicedIndex(new Uint16Array(64), entries);
    const scattered = Uint8Array.from(entries, (value) => Number((value * 7919) % 256 < 128) ^ (value & 1));
    expect(bitSlicedKernel(index, scattered)).toBeUndefined();
    expect(bitSlicedKernel(index, scattered.fill(1, 0, 200).fill(0, 200))).toBeDefined();
  });

  // V14
  it('is used exactly for checks that take at most twelve steps', () => {
    const seen = new Set<number>();
    const outcomes = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1 })), {
        minLength: 1,
        maxLength: 9,
      })
      .map((runs) => runs.flatMap(([length, holds]) => Array<number>(length).fill(holds)));
    fc.assert(
      fc.property(outcomes, (drawn) => {
        const codes = Uint16Array.from(drawn.keys());
        const holds = Uint8Array.from(drawn);
        const index = createBitSlicedIndex(codes, [...drawn.keys()]);
        const steps = countSteps(drawn, index.slices.length);
        seen.add(steps);
        const kernel = bitSlicedKernel(index, holds);
        expect([steps, kernel !== undefined]).toEqual([steps, steps <= 12]);
        if (kernel !== undefined)
          expect(selectedWords(kernel, codes.length)).toEqual(
            selectedWords(lookupKernel({ codes, holds }), codes.length),
          );
      }),
      { seed: 20_261_127, numRuns: 2_000 },
    );
    for (const steps of [0, 1, 11, 12, 13, 14]) expect(seen).toContain(steps);
  });

  // V14
  it('counts the steps of two equal halves once', () => {
    const half = Array.from({ length: 32 }, (_, value) => Number(value % 11 < 2));
    const outcomes = [...half, ...half];
    expect([countSteps(half, 5), countSteps(outcomes, 6)]).toEqual([12, 12]);
    const codes = Uint16Array.from(outcomes.keys());
    const holds = Uint8Array.from(outcomes);
    const kernel = bitSlicedKernel(createBitSlicedIndex(codes, [...codes]), holds) as Kernel;
    expect(selectedWords(kernel, 64)).toEqual(selectedWords(lookupKernel({ codes, holds }), 64));
  });

  // V14
  it('ranks numbers by their order, then all other values by their JSON', () => {
    const entries = ['b', 10, true, -1, undefined, 'a', 9, ['x'], null, 2.5];
    const { ranks } = createBitSlicedIndex(new Uint16Array(1), entries);
    const sorted = [...entries.keys()].sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0));
    expect(sorted.map((code) => entries[code])).toEqual([
      -1,
      2.5,
      9,
      10,
      undefined,
      'a',
      'b',
      ['x'],
      null,
      true,
    ]);
  });

  // V14
  it.each([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [256, 8],
    [257, 9],
  ])('of %i values has %i slices, padded to whole groups of four words', (count, slices) => {
    const entries = Array.from({ length: count }, (_, value) => value);
    for (const [rows, words] of [
      [1, 4],
      [128, 4],
      [129, 8],
    ] as const) {
      const index = createBitSlicedIndex(new Uint16Array(rows), entries);
      expect(index.slices.map(({ length }) => length)).toEqual(Array(slices).fill(words));
    }
  });

  // V14
  it('is built at the eighth lookup, and kept', () => {
    const columns = ClaimColumns.of({ 'a.age': { codes: Uint16Array.of(0, 1), entries: [17, 18] } });
    const column = columns.find(toClaimReference('a.age')) as DictionaryColumn;
    const found = Array.from({ length: 9 }, () => columns.findBitSlicedIndex(column));
    expect(found.map((index) => index !== undefined)).toEqual([...Array(7).fill(false), true, true]);
    expect(found[8]).toBe(found[7]);
  });

  // V14
  it('of no values can be created and evaluated', () => {
    const kernel = bitSlicedKernel(createBitSlicedIndex(new Uint16Array(0), []), new Uint8Array(0)) as Kernel;
    const selection = new SelectionBitmap();
    expect(() => kernel(selection, 0, 0)).not.toThrow();
  });

  // V14
  it('supports a column of equal values, and checks passed by all values or by none', () => {
    const index = createBitSlicedIndex(new Uint16Array(40), ['DE']);
    const selections = [0, 1].map((holds) =>
      selectedWords(bitSlicedKernel(index, Uint8Array.of(holds)) as Kernel, 40),
    );
    expect(selections).toEqual([
      [0, 0],
      [0xff_ff_ff_ff, 0xff],
    ]);
  });

  // V14
  it('is built after enough lookups, with unchanged results', () => {
    const ages = {
      codes: Uint16Array.from({ length: 100 }, (_, row) => row % 5),
      entries: [64, 17, 18, undefined, 65],
    };
    const columns = ClaimColumns.of({ 'a.age': ages });
    const query = {
      policy: {
        allOf: [
          { claim: 'a.age', operator: '>=', value: 18 },
          { claim: 'a.age', operator: '<', value: 65 },
        ],
      },
    };
    const [first, ...others] = Array.from({ length: LOOKUPS_BEFORE_INDEX + 2 }, () =>
      evaluateMany(query, columns),
    );
    expect([...(first?.passed ?? [])].slice(0, 4)).toEqual([0, 2, 5, 7]);
    expect(others).toEqual(others.map(() => first));
    expect(
      columns.findBitSlicedIndex(columns.find(toClaimReference('a.age')) as DictionaryColumn)?.slices,
    ).toHaveLength(3);
  });

  // V14
  it('is shared by columns with the same codes, whatever their entries', () => {
    const codes = Uint16Array.from({ length: 70 }, (_, row) => row % 3);
    const columns = ClaimColumns.of({
      'a.level': { codes, entries: ['none', 'full', 'basic', 'never', 'nor this', 'nor that'] },
      'a.score': { codes, entries: [9, 1, 5] },
    });
    const queries = [
      { check: { claim: 'a.level', operator: '==', value: 'full' } },
      { check: { claim: 'a.score', operator: '<', value: 6 } },
      { check: { claim: 'a.level', operator: 'in', value: ['none', 'basic', 'a', 'b'] } },
      { check: { claim: 'a.score', operator: '>=', value: 9 } },
    ];
    const first = queries.map((query) => evaluateMany(query, columns).count);
    expect(first).toEqual([23, 46, 47, 24]);
    for (let round = 0; round < LOOKUPS_BEFORE_INDEX; round += 1) {
      expect(queries.map((query) => evaluateMany(query, columns).count)).toEqual(first);
    }
    const [level, score] = ['a.level', 'a.score'].map((path) =>
      columns.findBitSlicedIndex(columns.find(toClaimReference(path)) as DictionaryColumn),
    );
    expect(level).toBeDefined();
    expect(score).toBe(level);
  });
});
