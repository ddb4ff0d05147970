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

  // V14
  it('is not used for a check with scattered values, where lookups are faster', () => {
    const entries = Array.from({ length: 256 }, (_, value) => value);
    const index = createBitSlicedIndex(new Uint16Array(64), entries);
    const scattered = Uint8Array.from(entries, (value) => Number((value * 7919) % 256 < 128) ^ (value & 1));
    expect(bitSlicedKernel(index, scattered)).toBeUndefined();
    expect(bitSlicedKernel(index, scattered.fill(1, 0, 200).fill(0, 200))).toBeDefined();
  });

  // V14
  it('supports equal values, and checks that all or no values pass', () => {
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
  });
});
