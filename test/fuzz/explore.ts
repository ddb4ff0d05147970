/** Draws inputs for a target until its time is over, and shrinks the first input with a new finding. */
import * as fc from 'fast-check';
import type { Finding, OpenTarget } from './fuzz-target.js';
import { runWatched } from './watchdog.js';

/** The seed and the limits of one turn of a target. */
export interface ExplorationTurn {
  readonly seed: number;
  /** The end of the turn, on the scale of `performance.now()`. */
  readonly untilMs: number;
  readonly maxRuns: number;
}

/** A finding with the smallest input that reproduces it. */
export interface ShrunkFinding extends Finding {
  readonly input: unknown;
}

const SHRINK_MS = 15_000;
const SHOWN_CODE_UNITS = 2_000;

/**
 * Probes a target for one turn. Stops early at a finding of an unknown kind.
 *
 * @param known - Kinds of findings to ignore.
 * @param onInput - Called for each input.
 * @returns The new finding, if there is one.
 * @throws {Error} A probe threw.
 */
export async function explore(
  name: string,
  target: OpenTarget<unknown>,
  turn: ExplorationTurn,
  known: ReadonlySet<string>,
  onInput: () => void,
): Promise<ShrunkFinding | undefined> {
  let newFinding: Finding | undefined;
  // At its time limit, fast-check does not wait for the probe in flight. The next probe must wait for the end of that probe.
  let inFlight: Promise<unknown> = Promise.resolve();
  const probe = (input: unknown) => {
    const probed = inFlight.then(() => runWatched(name, input, () => target.probe(input)));
    inFlight = probed.catch(() => undefined);
    return probed;
  };
  const property = fc.asyncProperty(target.inputs, async (input) => {
    onInput();
    const probed = probe(input);
    // While shrinking, only findings of the same kind count, and no exceptions.
    const finding = await (newFinding === undefined ? probed : probed.catch(() => undefined));
    if (finding === undefined || known.has(finding.kind)) return true;
    if (newFinding !== undefined && newFinding.kind !== finding.kind) return true;
    newFinding = finding;
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
  const found = newFinding as Finding | undefined;
  if (first.failed && found === undefined) {
    const shown = JSON.stringify(input)?.slice(0, SHOWN_CODE_UNITS);
    throw new Error(`a probe of ${name} threw for ${shown}`, { cause: first.errorInstance });
  }
  if (found === undefined || first.counterexample === null) return undefined;
  const smaller = await fc.check(property, {
    seed: turn.seed,
    path: first.counterexamplePath ?? '',
    numRuns: turn.maxRuns,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  await inFlight;
  const [smallest = input] = smaller.counterexample ?? [];
  return { ...((newFinding as Finding | undefined) ?? found), input: smallest };
}
