/** The interface of fuzz targets: inputs as plain JSON, so that a failing one can be saved and replayed, and a probe that checks an input. */
import type * as fc from 'fast-check';
import type { HeldMemory } from '../support/watched-service.js';

/** A fault that an input caused. */
export interface Finding {
  /** A short key for deduplication: equal for equal faults. */
  readonly kind: string;
  readonly detail: string;
}

/** A started target. */
export interface OpenTarget<Input> {
  readonly inputs: fc.Arbitrary<Input>;
  /** Tries an input. Does not throw for faults. @returns The fault; `undefined` if there is none. */
  readonly probe: (input: Input) => Promise<Finding | undefined>;
  /** Memory of the service process after a garbage collection; absent if the target has no such process. */
  readonly memory?: () => Promise<HeldMemory>;
  /** A short summary of what the inputs have reached so far. */
  readonly reached: () => string;
  /** Code that was not reached, one location per line; absent without coverage. */
  readonly unreached?: () => readonly string[];
  /** Closes the target. @returns A fault at the end, such as a service that does not stop cleanly. */
  readonly close: () => Promise<Finding | undefined>;
}

/** Resources for a target. */
export interface TargetContext {
  /** A temporary directory. */
  readonly folder: string;
  /** Directory of V8 coverage; absent without coverage. */
  readonly coverageFolder?: string;
  /** URL of a PostgreSQL server, where each production deployment gets its own database. If absent, all deployments use SQLite. */
  readonly postgresUrl?: string;
}

export interface FuzzTarget {
  readonly name: string;
  /** Starts the target. Its inputs have a shape that only this target knows. */
  readonly open: (context: TargetContext) => Promise<OpenTarget<unknown>>;
}

/** Erases the input type of a target. */
export function fuzzTarget<Input>(
  name: string,
  open: (context: TargetContext) => Promise<OpenTarget<Input>>,
): FuzzTarget {
  // A target probes only inputs that it drew itself or that were saved under its name.
  return { name, open: open as unknown as FuzzTarget['open'] };
}
