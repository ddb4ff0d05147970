/**
 * Searches for bodies of `POST /queries/evaluate` that take long to reject, and reports the costliest.
 *
 *   npm run check -- refused-cost [--seconds 60] [--seed N] [--most-ms 10] [--out worst.json]
 *
 * Measures the CPU time of this process, so run it on a machine that is not overloaded. `--out` is a file for the costliest rejected body. Exit code
 * 0: no rejection takes longer than `--most-ms`; 1: at least one does.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createSeededDraw } from '../../bench/scenarios/random.js';
import { DEFAULT_HTTP_LIMITS } from '../../src/http/connections.js';
import { seedOf } from '../faults/seeded-choice.js';
import { parsePositiveNumber } from '../support/check-options.js';
import { COSTLY_BODIES, type Draw, mutate } from './cost/costly-bodies.js';
import { type MeasuredRequest, measureMedian, measureRepeatedly } from './cost/measure-request.js';

const MS_PER_SECOND = 1_000;
const PROGRESS_INTERVAL_MS = 10_000;
/** Number of measurements of a body during the search, and for the report. */
const [TIMES_SEARCHED, TIMES_REPORTED] = [3, 15];
/** Number of the costliest bodies that are mutated further. */
const POOL_SIZE = 24;
const SHOWN_CODE_UNITS = 160;

/** A body and its cost: during the search the lowest measured one, in the report the median. */
interface Candidate {
  readonly text: string;
  measured: MeasuredRequest;
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    'most-ms': { type: 'string', default: '10' },
    out: { type: 'string' },
  },
});
const seconds = parsePositiveNumber('seconds', values.seconds);
const mostMs = parsePositiveNumber('most-ms', values['most-ms']);
process.exitCode = run(seedOf(values.seed));

function run(seed: number): number {
  warmUp();
  process.stdout.write(`\nknown bodies, median CPU time of up to ${TIMES_REPORTED} requests:\n`);
  const known = [...COSTLY_BODIES].map(([name, text]) => {
    const candidate = { text, measured: measureMedian(text, TIMES_REPORTED) };
    process.stdout.write(`  ${describe(candidate)}  ${name}\n`);
    return candidate;
  });
  const tried = search(known, createSeededDraw(seed), performance.now() + seconds * MS_PER_SECOND);
  const rejected = remeasure(tried, (one) => one.measured.codes.length > 0);
  const accepted = remeasure(tried, (one) => one.measured.codes.length === 0);
  report('the costliest rejected', rejected);
  report('the costliest accepted', accepted);
  const worst = rejected[0]?.measured.cpuMs ?? 0;
  if (values.out !== undefined && rejected[0] !== undefined) writeFileSync(values.out, rejected[0].text);
  process.stdout.write(
    `\nthe worst rejected request: ${worst.toFixed(1)} ms CPU (must be at most ${mostMs})\n`,
  );
  return worst <= mostMs ? 0 : 1;
}

/** Warms up the JIT compiler, since a service runs compiled code. */
function warmUp(): void {
  for (let round = 0; round < 3; round += 1) {
    for (const text of COSTLY_BODIES.values()) measureMedian(text, 1);
  }
}

/** Mutates the costliest bodies, alternating between rejected and accepted ones. @returns The costliest of both. */
function search(known: readonly Candidate[], draw: Draw, endsAt: number): readonly Candidate[] {
  const pool = {
    // With the accepted ones too: their mutations may be rejected.
    rejected: [...known],
    accepted: known.filter(({ measured }) => measured.codes.length === 0),
  };
  let [tried, reportedAt] = [0, performance.now()];
  while (performance.now() < endsAt) {
    tried += 1;
    const from = tried % 2 === 0 ? pool.rejected : pool.accepted;
    const parent = from[Math.floor(draw() ** 2 * from.length)];
    if (parent === undefined) continue;
    // Measures again, since a slow run may have had another cause.
    const [measuredAgain] = measureRepeatedly(parent.text, 1);
    if (measuredAgain.cpuMs < parent.measured.cpuMs) parent.measured = measuredAgain;
    let { text } = parent;
    for (let changes = Math.ceil(draw() * 3); changes > 0; changes -= 1) {
      text = mutate(text, draw, DEFAULT_HTTP_LIMITS.bodyBytes);
    }
    const [measured] = measureRepeatedly(text, TIMES_SEARCHED);
    const candidate = { text, measured };
    const list = candidate.measured.codes.length > 0 ? 'rejected' : 'accepted';
    pool[list] = costliest([...pool[list], candidate], POOL_SIZE);
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
    reportedAt = performance.now();
    const [rejected = 0, accepted = 0] = [pool.rejected, pool.accepted].map(
      ([first]) => first?.measured.cpuMs,
    );
    process.stdout.write(
      `${Math.round((endsAt - reportedAt) / MS_PER_SECOND)} s left: ${tried} tried; rejected ${rejected.toFixed(1)} ms, accepted ${accepted.toFixed(1)} ms\n`,
    );
  }
  return [...pool.rejected, ...pool.accepted];
}

function costliest(candidates: readonly Candidate[], count: number): Candidate[] {
  const distinct = new Map(candidates.map((candidate) => [candidate.text, candidate]));
  return [...distinct.values()]
    .sort((left, right) => right.measured.cpuMs - left.measured.cpuMs)
    .slice(0, count);
}

/** Measures candidates again for the report, and returns the three costliest. */
function remeasure(
  candidates: readonly Candidate[],
  isIncluded: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const measuredAgain = candidates
    .filter(isIncluded)
    .map(({ text }) => ({ text, measured: measureMedian(text, TIMES_REPORTED) }));
  return costliest(measuredAgain, 3);
}

function report(title: string, candidates: readonly Candidate[]): void {
  process.stdout.write(`\n${title}:\n`);
  for (const candidate of candidates) {
    process.stdout.write(`  ${describe(candidate)}  ${candidate.text.slice(0, SHOWN_CODE_UNITS)}\n`);
  }
}

function describe({ text, measured: { cpuMs, codes } }: Candidate): string {
  return `${cpuMs.toFixed(1).padStart(7)} ms  ${String(Buffer.byteLength(text)).padStart(6)} bytes  ${codes.join(', ') || 'accepted'}`;
}
