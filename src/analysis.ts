/**
 * What queries mean without anybody's claims, with re2js for their patterns.
 *
 * Loads no HTTP, SQL or cryptography.
 */

import type { AnalysisOptions, LintReport, Verdict } from './analysis/index.js';
import * as analysis from './analysis/index.js';
import { type Catalogue, DEFAULT_CLAIMS, type PolicyItem } from './engine/index.js';
import { re2js } from './regex/re2js.js';

export type {
  AnalysisOptions,
  Finding,
  FindingCode,
  LintReport,
  Verdict,
  Witness,
} from './analysis/index.js';
export { FINDING_CODES } from './analysis/index.js';

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

/**
 * A smaller query that passes on the same claims; what cannot be shown to make no difference stays. Throws as {@link satisfiable} does.
 *
 * @returns The query in canonical form.
 */
export function simplify(query: unknown, options: AnalysisOptions = {}): PolicyItem {
  return analysis.simplify(query, { regex: re2js, ...options });
}

/**
 * Finds what a query's author hardly meant, each finding with the query mended. Throws as {@link satisfiable} does.
 *
 * @param catalogue - The types of claims; the default catalogue where absent.
 */
export function lint(
  query: unknown,
  catalogue: Pick<Catalogue, 'claims'> = { claims: DEFAULT_CLAIMS },
  options: AnalysisOptions = {},
): LintReport {
  return analysis.lint(query, catalogue, { regex: re2js, ...options });
}
