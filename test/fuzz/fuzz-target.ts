/** What a fuzz target is: inputs that are plain JSON, so that a failing one can be kept and tried again, and a probe that judges one. */
import type * as fc from 'fast-check';
import type { HeldMemory } from '../support/watched-service.js';

/** What is wrong with an answer to an input. */
export interface Finding {
  /** A short key that is equal for equal faults, by which findings are deduplicated. */
  readonly kind: string;
  readonly detail: string;
}

/** A target that is ready to be probed. */
export interface OpenTarget<Input> {
  readonly inputs: fc.Arbitrary<Input>;
  /** Tries an input. Never throws for what the input did. @returns What is wrong; nothing where all is well. */
  readonly probe: (input: Input) => Promise<Finding | undefined>;
  /** Of the service's own process, after a collection; absent where the target has none. */
  readonly memory?: () => Promise<HeldMemory>;
  /** What the inputs so far have reached, in a few words. */
  readonly reached: () => string;
  /** Code that was not reached, one location per line; absent without coverage. */
  readonly unreached?: () => readonly string[];
  /** @returns What was found at the end; a service that does not stop cleanly, for one. */
  readonly close: () => Promise<Finding | undefined>;
}

/** Where a target may keep what it needs. */
export interface Ground {
  /** A temporary directory. */
  readonly folder: string;
  /** Directory of V8 coverage; absent without coverage. */
  readonly coverageFolder?: string;
  /** A PostgreSQL server with a database per deployment; without it all deployments use SQLite. */
  readonly postgresUrl?: string;
}

export interface FuzzTarget {
  readonly name: string;
  /** Description for `--help`. */
  readonly about: string;
  /** The input's shape is the target's own business: regressions of another are never handed to it. */
  readonly open: (ground: Ground) => Promise<OpenTarget<unknown>>;
}

/** Erases the input type of a target. */
export function fuzzTarget<Input>(
  name: string,
  about: string,
  open: (ground: Ground) => Promise<OpenTarget<Input>>,
): FuzzTarget {
  // What is probed is what the same target drew, or what it wrote to a file under its own name.
  return { name, about, open: open as unknown as FuzzTarget['open'] };
}
