/** Replays every input that once failed, and a few random inputs of each target. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKS, usageOf } from '../../build/checks.js';
import { explore } from './explore.js';
import type { FuzzTarget, OpenTarget } from './fuzz-target.js';
import { REGRESSIONS, readRegressions } from './regressions.js';
import { TARGETS } from './targets.js';

/** Seeds and number of inputs per target, enough to check that the target works; `npm run check -- fuzz` has no such limit. */
const SEEDS: Readonly<Record<string, { readonly seeds: readonly number[]; readonly runs: number }>> = {
  http: { seeds: [1], runs: 20 },
  wire: { seeds: [2], runs: 20 },
  bodies: { seeds: [3], runs: 500 },
  tokens: { seeds: [4], runs: 40 },
  queries: { seeds: [5], runs: 500 },
  store: { seeds: [6], runs: 2 },
};

/** Longer than any turn in this test. */
const TURN_MS = 100_000;

async function withTarget<Result>(
  target: FuzzTarget,
  use: (open: Awaited<ReturnType<FuzzTarget['open']>>) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-replay-'));
  const open = await target.open({ folder: join(folder, target.name) });
  try {
    return await use(open);
  } finally {
    const finalFinding = await open.close();
    rmSync(folder, { recursive: true, force: true });
    expect(finalFinding).toBeUndefined();
  }
}

describe.each(TARGETS.map((target) => [target.name, target] as const))(
  'the fuzz target %s',
  (name, target) => {
    it('finds no fault in fixed regressions, the known fault in open ones, and none in the inputs of its seeds', {
      timeout: 120_000,
    }, async () => {
      await withTarget(target, async (open) => {
        for (const [file, { input, kind, open: reason }] of readRegressions(name)) {
          const found = await open.probe(input);
          expect([file, found?.kind]).toEqual([file, reason === undefined ? undefined : kind]);
        }
        const { seeds, runs } = SEEDS[name] ?? { seeds: [], runs: 0 };
        expect(seeds.length).toBeGreaterThan(0);
        for (const seed of seeds) {
          let tried = 0;
          const turn = { seed, untilMs: performance.now() + TURN_MS, maxRuns: runs };
          const found = await explore(name, open, turn, new Set(), () => {
            tried += 1;
          });
          expect([seed, found]).toEqual([seed, undefined]);
          expect(tried).toBe(runs);
        }
      });
    });
  },
);

/** A target with the inputs 0 to 1,000, of which a probe is replaced. */
function targetOf(probe: OpenTarget<unknown>['probe']): OpenTarget<unknown> {
  return {
    inputs: fc.integer({ min: 0, max: 1_000 }),
    probe,
    reached: () => '',
    close: async () => undefined,
  };
}

function exploreTarget(probe: OpenTarget<unknown>['probe']) {
  const turn = { seed: 1, untilMs: performance.now() + TURN_MS, maxRuns: 100 };
  return explore('numbers', targetOf(probe), turn, new Set(), () => undefined);
}

it('exploring a target rejects with the exception of a probe', async () => {
  const cause = new Error('login failed');
  await expect(exploreTarget(() => Promise.reject(cause))).rejects.toMatchObject({ cause });
});

it('an exception while a finding is shrunk is not taken for that finding', async () => {
  const found = await exploreTarget(async (input) => {
    if (Number(input) < 100) throw new Error('login failed');
    return { kind: 'large', detail: String(input) };
  });
  expect(found).toMatchObject({ kind: 'large', input: 100 });
});

it('the usage of the check lists the fuzz targets', () => {
  const check = CHECKS.find(({ name }) => name === 'fuzz');
  const usage = check === undefined ? '' : usageOf(check);
  const listed = [...usage.matchAll(/^ {2}(\w+) {3,}/gm)].map(([, name]) => name);
  expect(listed).toEqual(TARGETS.map(({ name }) => name));
});

it('every saved regression belongs to a fuzz target', () => {
  const saved = readdirSync(REGRESSIONS).filter((file) => file.endsWith('.json'));
  const known = TARGETS.flatMap(({ name }) => readRegressions(name).map(([file]) => file));
  expect(saved.sort()).toEqual([...known].sort());
});
