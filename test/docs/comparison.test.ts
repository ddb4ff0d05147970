/** The tables of the comparison page and of the README have a link in each cell, and state the measurements of the page on performance. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/explanation/comparison.md', import.meta.url), 'utf8');
const MEASURED = readFileSync(new URL('../../docs/explanation/performance.md', import.meta.url), 'utf8');

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Returns the cells of each table row of a page. */
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
/** The rows of the benchmark for each measured engine of the comparison. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '**Proviso**': ['Proviso test()', 'Proviso evaluate()'],
  'json-logic-engine': ['json-logic-engine, compiled'],
  ajv: ['ajv'],
  CASL: ['@casl/ability'],
  'json-rules-engine': ['json-rules-engine'],
  'zen-engine': ['@gorules/zen-engine'],
  Cedar: ['@cedar-policy/cedar-wasm'],
};
/** The index, after the name, of the column for six checks on people of one shape. */
const SIX_UNIFORM = 3;

/** Returns the ratio that the page on performance states for the first contender whose name starts with `name`. */
function measured(name: string): string | undefined {
  const line = MEASURED.split('\n').find((one) => one.startsWith(`| ${name}`));
  return line?.split('|')[SIX_UNIFORM + 1]?.trim().split(' ')[0];
}

describe('the comparison page', () => {
  it('has a link in each cell of its table', () => {
    expect(rows.length).toBeGreaterThan(6);
    for (const [name, ...cells] of rows) {
      expect(cells).toHaveLength(7);
      for (const cell of cells) expect([name, cell]).toEqual([name, expect.stringMatching(/\]\([^)]+\)/)]);
    }
  });

  it('states the last measurements of the benchmark', () => {
    const compared = rows.filter(([name = '']) => name in NAMES);
    expect(compared).toHaveLength(Object.keys(NAMES).length);
    for (const [name = '', , speed = ''] of compared) {
      const stated = [...speed.matchAll(/\[([\d.,]+) ×\]/g)].map(([, number]) => number);
      expect([name, stated]).toEqual([name, NAMES[name]?.map(measured)]);
    }
  });
});

describe('the README', () => {
  it('has a link in each cell of its comparison table', () => {
    const section = README.split('## Comparison')[1]?.split('\n## ')[0] ?? '';
    const [, , ...short] = rowsOf(section);
    expect(short.length).toBeGreaterThan(4);
    for (const cells of short) {
      for (const cell of cells.slice(1)) expect(cell).toMatch(/\]\([^)]+\)/);
    }
  });

  it('states the last measurements of the benchmark', () => {
    const text = README.replace(/\s+/g, ' ');
    expect(text).toContain(`${measured('Proviso test()')} times as long as a hand-written function`);
    expect(text).toContain(`\`evaluate()\`, with evidence, takes ${measured('Proviso evaluate()')} times`);
  });
});
