/** Compares the clock of this machine with another one. */
import { MS_PER_SECOND } from '../../util/time.js';
import { type Finding, findingsAbout } from './finding.js';

/** The service accepts assertions and DPoP proofs from clocks that differ by at most this much. */
const TOLERATED_MS = 5_000;
/** A larger difference is a warning. */
const NOTICED_MS = 2_000;
const TIMEOUT_MS = 5_000;
const REMEDY =
  'synchronize the clocks with NTP: they must agree within 5 seconds, since instances share expiry times';

const about = findingsAbout('clock');

/** A reading of another clock, made while the clock of this machine advanced from `from` to `to`. */
export interface ClockReading {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly other: number;
  readonly from: number;
  readonly to: number;
  /** The resolution of the other clock. */
  readonly resolutionMs: number;
}

/** Judges a reading by the smallest difference between the clocks that is consistent with it. */
export function judgeClock({ name, other, from, to, resolutionMs }: ClockReading): Finding {
  const least = Math.max(0, from - (other + resolutionMs), other - to);
  const direction = other > to ? 'behind' : 'ahead of';
  if (least <= NOTICED_MS)
    return about.ok(
      `agrees with ${name} within ${Math.ceil((to - from + resolutionMs + least) / MS_PER_SECOND)} s`,
    );
  const found = `this machine is ${Math.round(least / MS_PER_SECOND)} s ${direction} ${name}`;
  return least > TOLERATED_MS ? about.fail(found, REMEDY) : about.warn(found, REMEDY);
}

/** Reads a clock and judges it. @param now - Epoch milliseconds. */
export async function compareClock(
  name: string,
  now: () => number,
  read: () => Promise<number>,
  resolutionMs = 0,
): Promise<Finding> {
  const from = now();
  const other = await read();
  return judgeClock({ name, other, from, to: now(), resolutionMs });
}

/** Compares the clock of this machine with the `Date` of a response. @param now - Epoch milliseconds. */
export async function compareWithUrl(url: string, now: () => number): Promise<Finding> {
  let date: string | null;
  const from = now();
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    date = response.headers.get('date');
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return about.fail(
      `${new URL(url).origin} does not respond: ${cause instanceof Error ? cause.message : cause}`,
      '--time-url must be a URL that responds within 5 seconds',
    );
  }
  const other = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(other))
    return about.fail(`${new URL(url).origin} sends no \`Date\``, '--time-url must respond with a `Date`');
  return judgeClock({ name: new URL(url).origin, other, from, to: now(), resolutionMs: MS_PER_SECOND });
}

/** The finding for a SQLite store without `--time-url`. */
export const CLOCK_NOT_CHECKED: Finding = about.ok(
  'not checked: a SQLite store has no other clock; --time-url compares with the `Date` of a URL',
);
