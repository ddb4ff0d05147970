/** The page on capacity matches the results of the last measurement (S446, S447). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capacityPage, modelHeight, readCapacityPage } from '../../bench/report/capacity-page.js';
import { hasGrown, type ScaleReport } from '../../bench/scale/results.js';
import { CHECKS } from '../../build/checks.js';

function readReport(name: string): ScaleReport {
  const url = new URL(`../../bench/results/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as ScaleReport;
}

describe('the page on capacity', () => {
  const page = readCapacityPage();

  // S446
  it('shows the results of the last measurement', () => {
    expect(page).toBe(capacityPage(page));
  });

  // S446
  it('states for each operation whether the goal holds', () => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const report = readReport(`scale-${engine}`);
      for (const [name, figures] of Object.entries(report.operations)) {
        const [smallest = null, largest = null] = [figures[0], figures.at(-1)];
        const rows = page.split('\n').filter((line) => line.startsWith(`| ${name} |`));
        const holds = smallest !== null && largest !== null && !hasGrown(engine, largest);
        // The page has two tables per engine, SQLite first: the operations, and their growth.
        expect(rows[engine === 'sqlite' ? 0 : 2]).toMatch(holds ? /\| holds \|$/ : /\*\* \|$/);
      }
    }
  });

  it('counts a ratio that is not a number as growth', () => {
    const [figure] = Object.values(readReport('scale-postgres').operations)[0] ?? [];
    expect(figure && hasGrown('postgres', { ...figure, ratio: Number.NaN })).toBe(true);
  });

  it('names a check that exists', () => {
    const [, name] = /npm run check -- (\S+)/.exec(page) ?? [];
    expect(CHECKS.map((check) => check.name)).toContain(name);
  });

  // S447
  it('shows that the lookups of a query read one partition of each table', () => {
    const lookups = readReport('scale-postgres').partitions?.lookups ?? [];
    const read = (lookup: string) => lookups.find((one) => one.lookup === lookup)?.read;
    expect(read('an access token with its grant')).toEqual({ access_token: 1, authorization_record: 1 });
    expect(read('the credentials of a person')).toEqual({ credential: 1 });
  });
});

describe('the model of index heights', () => {
  it('keeps the height of an index that does not grow', () => {
    expect(modelHeight({ index: 'i', pages: 10_000, height: 3 }, 1)).toBe(3);
  });

  it('adds a level when the pages exceed what the fan-out can refer to', () => {
    expect(modelHeight({ index: 'i', pages: 10_000, height: 3 }, 10)).toBe(4);
    expect(modelHeight({ index: 'i', pages: 10_000, height: 3 }, 1_000)).toBe(5);
  });
});
