/**
 * What queries mean without anybody's claims, with re2js for their patterns.
 *
 * Loads no HTTP, SQL or cryptography.
 */

import type { AnalysisOptions, Verdict } from './analysis/index.js';
import * as analysis from './analysis/index.js';
import { re2js } from './regex/re2js.js';

export type { AnalysisOptions, Verdict, Witness } from './analysis/index.js';

/**
 * Whether there are claims on which a query passes; they are shown.
 *
 * @throws {QueryError} When it is no query.
 * @throws {TypeError} For projections: they neither pass nor fail.
 */
export function satisfiable(query: unknown, options: AnalysisOptions = {}): Verdict {
  return analysis.satisfiable(query, { regex: re2js, ...options });
}

/** Whether a query passes on all claims; where not, claims are shown on which it does not. Throws as {@link satisfiable} does. */
export function tautology(query: unknown, options: AnalysisOptions = {}): Verdict {
  return analysis.tautology(query, { regex: re2js, ...options });
}

/**
 * Whether one query passes wherever another does; where not, claims are shown on which the first passes and the second does not. Throws as
 * {@link satisfiable} does.
 */
export function implies(query: unknown, other: unknown, options: AnalysisOptions = {}): Verdict {
  return analysis.implies(query, other, { regex: re2js, ...options });
}

/** Whether two queries pass on the same claims; where not, claims are shown that tell them apart. Throws as {@link satisfiable} does. */
export function equivalent(query: unknown, other: unknown, options: AnalysisOptions = {}): Verdict {
  return analysis.equivalent(query, other, { regex: re2js, ...options });
}
