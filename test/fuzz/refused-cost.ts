/**
 * Searches for bodies of `POST /queries/evaluate` that take long to reject, and reports the costliest.
 *
 *   npm run check -- refused-cost [--seconds 60] [--seed N] [--most-ms 10] [--out worst.json]
 *
 * Measures the CPU time of this process, so run it on a machine that is not overloaded. Exit code 0: nothing that is rejected takes longer
 * than `--most-ms`; 1: something does.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_HTTP_LIMITS } from '../../src/http/connections.js';
import { seedOf } from '../faults/seeded-choice.js';
import { COSTLY_BODIES, type Draw, mutate } from './cost/costly-bodies.js';
import { type MeasuredRequest, measureMedian, measureOften } from './cost/measure-request.js';

const MS_PER_SECOND = 1_000;
const TELL_EVERY_MS = 10_000;
/** How often a body is measured while searching, and for the report. */
const [TIMES_SEARCHED, TIMES_REPORTED] = [3, 15];
/** How many of the costliest bodies are changed further. */
const KEPT = 24;
const SHOWN_CODE_UNITS = 160;

/** A body with the least that it was ever measured to cost. */
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
process.exitCode = run(Number(values.seconds), seedOf(values.seed), Number(values['most-ms']));

function run(seconds: number, seed: number, mostMs: number): number {
  warmUp();
  process.stdout.write('\nknown bodies, median CPU time of 15 requests:\n');
  const known = [...COSTLY_BODIES].map(([name, text]) => {
    const candidate = { text, measured: measureMedian(text, TIMES_REPORTED) };
    process.stdout.write(`  ${describe(candidate)}  ${name}\n`);
    return candidate;
  });
  const tried = search(known, createDraw(seed), performance.now() + seconds * MS_PER_SECOND);
  const refused = remeasured(tried, (one) => one.measured.codes.length > 0);
  const accepted = remeasured(tried, (one) => one.measured.codes.length === 0);
  report('the costliest rejected', refused);
  report('the costliest accepted', accepted);
  const worst = refused[0]?.measured.cpuMs ?? 0;
  if (values.out !== undefined && refused[0] !== undefined) writeFileSync(values.out, refused[0].text);
  process.stdout.write(
    `\nthe worst rejected request: ${worst.toFixed(1)} ms CPU (at most ${mostMs} wanted)\n`,
  );
  return worst <= mostMs ? 0 : 1;
}

/** Compiled code is what a service runs on. */
function warmUp(): void {
  for (let round = 0; round < 3; round += 1) {
    for (const text of COSTLY_BODIES.values()) measureMedian(text, 1);
  }
}

/** Changes the costliest bodies, rejected and accepted ones by turns. @returns Every body that was kept at some time. */
function search(known: readonly Candidate[], draw: Draw, endsAt: number): readonly Candidate[] {
  const kept = { refused: [...known], accepted: known.filter(({ measured }) => measured.codes.length === 0) };
  let [tried, told] = [0, performance.now()];
  while (performance.now() < endsAt) {
    tried += 1;
    const from = tried % 2 === 0 ? kept.refused : kept.accepted;
    const parent = from[Math.floor(draw() ** 2 * from.length)];
    if (parent === undefined) continue;
    // What took long for another reason does not do so again.
    const [again] = measureOften(parent.text, 1);
    if (again.cpuMs < parent.measured.cpuMs) parent.measured = again;
    let { text } = parent;
    for (let changes = Math.ceil(draw() * 3); changes > 0; changes -= 1) {
      text = mutate(text, draw, DEFAULT_HTTP_LIMITS.bodyBytes);
    }
    const [measured] = measureOften(text, TIMES_SEARCHED);
    const candidate = { text, measured };
    const list = candidate.measured.codes.length > 0 ? 'refused' : 'accepted';
    kept[list] = costliest([...kept[list], candidate], KEPT);
    if (performance.now() - told < TELL_EVERY_MS) continue;
    told = performance.now();
    const [refused = 0, accepted = 0] = [kept.refused, kept.accepted].map(([first]) => first?.measured.cpuMs);
    process.stdout.write(
      `${Math.round((endsAt - told) / MS_PER_SECOND)} s left: ${tried} tried; rejected ${refused.toFixed(1)} ms, accepted ${accepted.toFixed(1)} ms\n`,
    );
  }
  return [...kept.refused, ...kept.accepted];
}

function costliest(candidates: readonly Candidate[], count: number): Candidate[] {
  const distinct = new Map(candidates.map((candidate) => [candidate.text, candidate]));
  return [...distinct.values()]
    .sort((left, right) => right.measured.cpuMs - left.measured.cpuMs)
    .slice(0, count);
}

/** Measures each finding again, since a single slow run may have other reasons. */
function remeasured(
  candidates: readonly Candidate[],
  isMeant: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const again = candidates
    .filter(isMeant)
    .map(({ text }) => ({ text, measured: measureMedian(text, TIMES_REPORTED) }));
  return costliest(again, 3);
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

/** Numbers that repeat themselves from a seed (mulberry32). */
function createDraw(seed: number): Draw {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
