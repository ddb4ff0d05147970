/** Types of `run-cases.mjs`. */
import type { ModuleCases } from './module-cases.js';

/**
 * Runs generated modules in both formats, and compares with the expected outcomes.
 *
 * @returns A description of each difference.
 */
export declare function runCases(
  batch: readonly ModuleCases[],
  importSource: (source: string) => Promise<unknown>,
  re2js: unknown,
): Promise<readonly string[]>;
