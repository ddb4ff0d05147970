/** What the timing loop runs: a contender with its inputs, which knows where it stands and how many have passed. */
import type { Prepared, PreparedSync } from '../contenders/contender.js';

/** Runs one thing some number of times. */
export interface Runner {
  readonly name: string;
  /** Runs `count` times. Answers at once, or with a promise where each call is awaited. */
  run(count: number): void | Promise<void>;
  /** Throws where the answers given so far are not the expected ones in number. */
  assertAnswers?(): void;
}

/**
 * Runs a contender over its people, round and round.
 *
 * @param expected - The right answer for each person: every answer is counted, and the count compared at the end.
 */
export function predicateRunner(name: string, prepared: Prepared, expected: readonly boolean[]): Runner {
  let from = 0;
  let passed = 0;
  let shouldHavePassed = 0;
  const step = (count: number, nowPassed: number): void => {
    passed += nowPassed;
    shouldHavePassed += expectedIn(expected, from, count);
    from = (from + count) % expected.length;
  };
  return {
    name,
    run: (count) => {
      if (prepared.mode === 'async') {
        return countPassedAsync(prepared.passes, prepared.inputs, from, count).then((now) =>
          step(count, now),
        );
      }
      step(count, countOf(prepared, from, count));
    },
    assertAnswers: () => {
      if (passed !== shouldHavePassed) throw new Error(`${name}: ${passed} passed, not ${shouldHavePassed}`);
    },
  };
}

/** Runs anything that gives an answer; `counts` keeps the answers from being thrown away. */
export function callRunner(name: string, calls: readonly (() => unknown)[]): Runner {
  let next = 0;
  let truths = 0;
  return {
    name,
    run: (count) => {
      for (let done = 0; done < count; done += 1) {
        if (calls[next]?.()) truths += 1;
        next = next + 1 === calls.length ? 0 : next + 1;
      }
    },
    assertAnswers: () => {
      if (!Number.isSafeInteger(truths)) throw new Error(`${name}: no answers`);
    },
  };
}

function countOf(prepared: PreparedSync, from: number, count: number): number {
  return prepared.countPassed?.(from, count) ?? countPassed(prepared.passes, prepared.inputs, from, count);
}

/** The one loop for all: its call sees every contender, so the optimiser can pull none of them in. */
function countPassed(
  passes: PreparedSync['passes'],
  inputs: readonly unknown[],
  from: number,
  count: number,
): number {
  let passed = 0;
  let index = from;
  for (let done = 0; done < count; done += 1) {
    if (passes(inputs[index] as never)) passed += 1;
    index += 1;
    if (index === inputs.length) index = 0;
  }
  return passed;
}

async function countPassedAsync(
  passes: (input: never) => Promise<boolean>,
  inputs: readonly unknown[],
  from: number,
  count: number,
): Promise<number> {
  let passed = 0;
  for (let done = 0; done < count; done += 1) {
    if (await passes(inputs[(from + done) % inputs.length] as never)) passed += 1;
  }
  return passed;
}

function expectedIn(expected: readonly boolean[], from: number, count: number): number {
  const laps = Math.floor(count / expected.length);
  let passed = laps === 0 ? 0 : laps * expected.filter(Boolean).length;
  for (let done = laps * expected.length; done < count; done += 1) {
    if (expected[(from + done) % expected.length]) passed += 1;
  }
  return passed;
}
