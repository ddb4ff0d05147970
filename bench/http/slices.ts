/** Slices of load that alternate between targets, so that other work on the machine affects all of them alike. */
import { reportProgress } from '../figures/progress.js';
import { type Spread, spreadOf } from '../timing/statistics.js';
import type { Slice } from './processes.js';

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  measure(): Promise<Slice>;
}

/** The results of a side. Ratios compare with the first side in the same round. */
export interface SideResult {
  readonly name: string;
  readonly perSecond: Spread;
  readonly ratio: Spread;
  /** CPU time per request. */
  readonly cpuMicroseconds: Spread;
  /** CPU time per request of the first side, divided by that of this side: comparable with `ratio`. */
  readonly cpuRatio: Spread;
  /**
   * CPU time per request of the first side's main thread, divided by that of all processes of this side. Estimates the throughput of this side per
   * processor, as a multiple of that of the first side, whose main thread has a whole processor.
   */
  readonly perProcessor: Spread;
  /** CPU time of the sender per request. */
  readonly senderMicroseconds: Spread;
}

/** Measures all sides in each round, in an order that rotates. The first round warms up and is not counted. */
export async function alternate(sides: readonly Side[], rounds: number): Promise<readonly SideResult[]> {
  const slices = sides.map((): Slice[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const index = (turn + round + 1) % sides.length;
      const slice = await sides[index]?.measure();
      if (round >= 0 && slice !== undefined) slices[index]?.push(slice);
    }
    const last = slices.map((own) => Math.round(own.at(-1)?.perSecond ?? 0));
    if (round >= 0) reportProgress(`round ${round + 1} of ${rounds}: ${last.join(', ')} requests/s`);
  }
  const [first = []] = slices;
  return sides.map(({ name }, index) => {
    const own = slices[index] ?? [];
    const compare = (quotient: (slice: Slice, of: Slice) => number) =>
      spreadOf(own.flatMap((slice, round) => (first[round] ? [quotient(slice, first[round])] : [])));
    return {
      name,
      perSecond: spreadOf(own.map(({ perSecond }) => perSecond)),
      ratio: compare((slice, of) => slice.perSecond / of.perSecond),
      cpuMicroseconds: spreadOf(own.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      cpuRatio: compare((slice, of) => of.cpuMicroseconds / slice.cpuMicroseconds),
      perProcessor: compare((slice, of) => of.mainMicroseconds / slice.cpuMicroseconds),
      senderMicroseconds: spreadOf(own.map(({ senderMicroseconds }) => senderMicroseconds)),
    };
  });
}

/** Formats a result in one line. */
export function describeSide({ name, perSecond, ratio, cpuMicroseconds, cpuRatio }: SideResult): string {
  const columns = [
    name.padEnd(36),
    `${formatSpread(perSecond, 0)}/s`,
    `ratio ${formatSpread(ratio, 2)}`,
    `CPU ${formatSpread(cpuMicroseconds, 0)} µs`,
    `ratio ${formatSpread(cpuRatio, 2)}`,
  ];
  return columns.join('   ');
}

/** Formats a median with its quartiles. */
export function formatSpread({ q1, median, q3 }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${q1.toFixed(digits)}–${q3.toFixed(digits)})`;
}
