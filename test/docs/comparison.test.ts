/** The comparison page has a link or a measurement for each cell, and the measurements match the benchmark. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/explanation/comparison.md', import.meta.url), 'utf8');
const MEASURED = readFileSync(new URL('../../docs/explanation/performance.md', import.meta.url), 'utf8');

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The rows of a page's tables, as their cells. */
function rowsOf(page: string): readonly (readonly string[])[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const [, , ...rows] = rowsOf(PAGE);
/** The row of the benchmark, and the cell of six checks on people of one shape. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '**Proviso**': ['Proviso test()', 'Proviso evaluate()'],
  'json-logic-engine': ['json-logic-engine, compiled'],
  ajv: ['ajv'],
  CASL: ['@casl/ability'],
  'json-rules-engine': ['json-rules-engine'],
  'zen-engine': ['@gorules/zen-engine'],
  Cedar: ['@cedar-policy/cedar-wasm'],
};
const SIX_UNIFORM = 3;

function measured(name: string): string | undefined {
  const line = MEASURED.split('\n').find((one) => one.startsWith(`| ${name}`));
  return line?.split('|')[SIX_UNIFORM + 1]?.trim().split(' ')[0];
}

describe('beside the alternatives', () => {
  it('each cell has a link or a measurement behind it', () => {
    expect(rows.length).toBeGreaterThan(6);
    for (const [name, ...cells] of rows) {
      expect(cells).toHaveLength(7);
      for (const cell of cells) expect([name, cell]).toEqual([name, expect.stringMatching(/\]\([^)]+\)/)]);
    }
  });

  it('so has each of the README', () => {
    const section = README.split('## Comparison')[1]?.split('\n## ')[0] ?? '';
    const [, , ...short] = rowsOf(section);
    expect(short.length).toBeGreaterThan(4);
    for (const cells of short) {
      for (const cell of cells.slice(1)) expect(cell).toMatch(/\]\([^)]+\)/);
    }
  });

  it('the README tells the speed that was measured', () => {
    expect(README).toContain(
      `${measured('Proviso test()')} times what a hand-written function takes on six checks`,
    );
  });

  it('what is measured is what the benchmark measured last', () => {
    const compared = rows.filter(([name = '']) => name in NAMES);
    expect(compared).toHaveLength(Object.keys(NAMES).length);
    for (const [name = '', , speed = ''] of compared) {
      const told = [...speed.matchAll(/\[([\d.,]+) ×\]/g)].map(([, number]) => number);
      expect([name, told]).toEqual([name, NAMES[name]?.map(measured)]);
    }
  });
});
