/** What the timing loop runs: a contender with its inputs, its position among them, and the count of people who passed. */
import type { Prepared, PreparedSync } from '../contenders/contender.js';

/** Runs one thing some number of times. */
export interface Runner {
  readonly name: string;
  /**
   * Prepares a round, untimed: chooses the people that `count` calls will see and evaluates them once, so that no
   * contender pays for cache lines that another one evicted.
   */
  takePlace?(round: number, count: number): void | Promise<void>;
  /** Runs `count` times; returns a promise where each call is awaited. */
  run(count: number): void | Promise<void>;
  /** Throws when the number of passing people is not the expected one. */
  assertAnswers?(): void;
}

/**
 * Runs a contender over its people.
 *
 * @param expected - The expected verdict for each person; the count of passing people is compared at the end.
 */
export function predicateRunner(name: string, prepared: Prepared, expected: readonly boolean[]): Runner {
  let people = prepared.inputs;
  let answers = expected;
  let passed = 0;
  let shouldHavePassed = 0;
  const run = (count: number): void | Promise<void> => {
    shouldHavePassed += expectedIn(answers, count);
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
    takePlace: (round, count) => {
      const size = Math.min(expected.length, count);
      people = turned(prepared.inputs, round * size, size);
      answers = turned(expected, round * size, size);
      return run(size);
    },
    assertAnswers: () => {
      if (passed !== shouldHavePassed) throw new Error(`${name}: ${passed} passed, not ${shouldHavePassed}`);
    },
  };
}

/** Runs any function; counting keeps its results from being optimized away. */
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

/** `size` of the items from an index on, going round. */
function turned<Item>(items: readonly Item[], from: number, size: number): readonly Item[] {
  const start = from % items.length;
  return [...items.slice(start, start + size), ...items.slice(0, Math.max(0, start + size - items.length))];
}

/** One loop for all contenders: its call site is megamorphic, so that none is inlined. */
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

/** How many of `count` answers are true, going round from the first. */
function expectedIn(expected: readonly boolean[], count: number): number {
  const rest = expected.slice(0, count % expected.length).filter(Boolean).length;
  return Math.floor(count / expected.length) * expected.filter(Boolean).length + rest;
}
