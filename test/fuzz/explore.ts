/** Draws inputs for a target until its time is over, and makes the smallest of each kind that fails. */
import * as fc from 'fast-check';
import type { Finding, OpenTarget } from './fuzz-target.js';
import { watched } from './watchdog.js';

/** How long one target is probed before the next has its turn. */
export interface Turn {
  readonly seed: number;
  readonly untilMs: number;
  readonly maxRuns: number;
}

/** A finding with the smallest input that still shows it. */
export interface Found extends Finding {
  readonly input: unknown;
}

const SHRINK_MS = 15_000;

/**
 * Probes a target for a turn; ends it early at a finding of a kind that is not known yet.
 *
 * @param known - Kinds of findings that are no news.
 * @param tried - Called for each input.
 */
export async function explore(
  name: string,
  target: OpenTarget<unknown>,
  turn: Turn,
  known: ReadonlySet<string>,
  tried: () => void,
): Promise<Found | undefined> {
  let news: Finding | undefined;
  // When time is up the library leaves without waiting for the probe that is under way: the next may not begin before it has ended.
  let inFlight: Promise<unknown> = Promise.resolve();
  const probe = (input: unknown) => {
    const probed = inFlight.then(() => watched(name, input, () => target.probe(input)));
    inFlight = probed.catch(() => undefined);
    return probed;
  };
  const property = fc.asyncProperty(target.inputs, async (input) => {
    tried();
    const finding = await probe(input);
    if (finding === undefined || known.has(finding.kind)) return true;
    // While it shrinks, only the same fault counts.
    if (news !== undefined && news.kind !== finding.kind) return true;
    news = finding;
    return false;
  });
  const first = await fc.check(property, {
    seed: turn.seed,
    numRuns: turn.maxRuns,
    interruptAfterTimeLimit: Math.max(1, turn.untilMs - performance.now()),
    markInterruptAsFailure: false,
    endOnFailure: true,
  });
  await inFlight;
  const [input] = first.counterexample ?? [];
  const found = news as Finding | undefined;
  if (found === undefined || first.counterexample === null) return undefined;
  const smaller = await fc.check(property, {
    seed: turn.seed,
    path: first.counterexamplePath ?? '',
    numRuns: turn.maxRuns,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  await inFlight;
  const [smallest = input] = smaller.counterexample ?? [];
  return { ...((news as Finding | undefined) ?? found), input: smallest };
}
