/** Runners for the timing loop. Those of contenders check the number of people who passed. */
import type { Prepared, PreparedSync } from '../contenders/contender.js';

/** Runs a contender, or other functions, a number of times. */
export interface Runner {
  readonly name: string;
  /**
   * Prepares a round, untimed: selects the people for `count` calls and evaluates them once, so that no contender pays
   * for cache lines that another one evicted.
   */
  prepareRound?(round: number, count: number): void | Promise<void>;
  /** Runs `count` times. Returns a promise if each call is awaited. */
  run(count: number): void | Promise<void>;
  /** Throws if the results are wrong. */
  assertResults?(): void;
}

/**
 * Runs a contender over its people.
 *
 * @param expected - The expected verdict for each person; the count of passing people is compared at the end.
 */
export function predicateRunner(name: string, prepared: Prepared, expected: readonly boolean[]): Runner {
  let people = prepared.inputs;
  let expectedResults = expected;
  let passed = 0;
  let expectedPassed = 0;
  const run = (count: number): void | Promise<void> => {
    expectedPassed += countExpected(expectedResults, count);
    if (prepared.mode === 'async') {
      return countPassedAsync(prepared.passes, people, count).then((now) => {
        passed += now;
      });
    }
    passed += prepared.countPassed?.(people, count) ?? countPassed(prepared.passes, people, count);
  };
  return {
    name,
    run,
    prepareRound: (round, count) => {
      const size = Math.min(expected.length, count);
      people = rotate(prepared.inputs, round * size, size);
      expectedResults = rotate(expected, round * size, size);
      return run(size);
    },
    assertResults: () => {
      if (passed !== expectedPassed) throw new Error(`${name}: ${passed} passed, not ${expectedPassed}`);
    },
  };
}

/** Calls functions in turn, without checking their results. Reading the count of truthy results at the end keeps the calls from being optimized away. */
export function callRunner(name: string, calls: readonly (() => unknown)[]): Runner {
  let next = 0;
  let truthyCount = 0;
  return {
    name,
    run: (count) => {
      for (let done = 0; done < count; done += 1) {
        if (calls[next]?.()) truthyCount += 1;
        next = next + 1 === calls.length ? 0 : next + 1;
      }
    },
    assertResults: () => {
      if (!Number.isSafeInteger(truthyCount)) throw new Error(`${name}: no results`);
    },
  };
}

/** `size` items from an index on, wrapping around at the end. */
function rotate<Item>(items: readonly Item[], from: number, size: number): readonly Item[] {
  const start = from % items.length;
  return [...items.slice(start, start + size), ...items.slice(0, Math.max(0, start + size - items.length))];
}

/** One loop for all contenders: its call site is megamorphic, so that no contender is inlined. */
function countPassed(passes: PreparedSync['passes'], inputs: readonly unknown[], count: number): number {
  let passed = 0;
  let index = 0;
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
  count: number,
): Promise<number> {
  let passed = 0;
  for (let done = 0; done < count; done += 1) {
    if (await passes(inputs[done % inputs.length] as never)) passed += 1;
  }
  return passed;
}

/** The number of `true` among `count` results, wrapping around at the end. */
function countExpected(expected: readonly boolean[], count: number): number {
  const rest = expected.slice(0, count % expected.length).filter(Boolean).length;
  return Math.floor(count / expected.length) * expected.filter(Boolean).length + rest;
}
