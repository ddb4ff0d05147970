/**
 * What queries mean without anybody's claims, with re2js for their patterns.
 *
 * Loads no HTTP, SQL or cryptography.
 */

import type {
  AnalysisOptions,
  ExplainOptions,
  Explanation,
  KnownClaims,
  LintReport,
  RequiredScopes,
  Residual,
  Verdict,
} from './analysis/index.js';
import * as analysis from './analysis/index.js';
import {
  type Catalogue,
  type Credential,
  DEFAULT_CLAIMS,
  defaultScopeCatalogue,
  type PolicyItem,
  type ScopeCatalogue,
} from './engine/index.js';
import { re2js } from './regex/re2js.js';

export type {
  AnalysisOptions,
  ClaimChange,
  ExplainOptions,
  Explanation,
  Finding,
  FindingCode,
  KnownClaims,
  LintReport,
  RequiredScopes,
  Residual,
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

/**
 * The smallest sets of scopes that would let a query run.
 *
 * @param catalogue - Which scopes cover which claims; the default catalogue where absent.
 * @throws {QueryError} When it is no query.
 */
export function requiredScopes(
  query: unknown,
  catalogue: ScopeCatalogue = defaultScopeCatalogue,
  options: AnalysisOptions = {},
): RequiredScopes {
  return analysis.requiredScopes(query, catalogue, { regex: re2js, ...options });
}

/**
 * What is left of a query once some claims are known: on all claims of which these are a part it comes out as the query does. Throws as
 * {@link satisfiable} does.
 *
 * @param known - Claim path → value, `undefined` for a claim that is known not to be defined.
 */
export function residual(query: unknown, known: KnownClaims, options: AnalysisOptions = {}): Residual {
  return analysis.residual(query, known, { regex: re2js, ...options });
}

/**
 * Why a query passes for somebody or does not, and what would change that. Nothing of anybody's claims is looked at before the scopes are
 * found to cover all of the query's.
 *
 * @param credentials - Of one subject. Not modified.
 * @throws {QueryError} When it is no query; `insufficient_scope` before any claim is read (L20).
 * @throws {TypeError} For projections: they neither pass nor fail.
 */
export function explain(
  query: unknown,
  credentials: readonly Credential[],
  options: ExplainOptions,
): Explanation {
  return analysis.explain(query, credentials, { regex: re2js, ...options });
}
