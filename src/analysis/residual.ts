/** Partial evaluation: the rest of a policy once some claims are known (L13, L14, L19). */

import { createClaimChecker } from '../engine/checked-claims.js';
import { ClaimSet, isClaimSet } from '../engine/claims/claim-set.js';
import { withOperandChecks } from '../engine/claims/claim-type.js';
import {
  type Catalogue,
  type Check,
  type CompileOptions,
  compile,
  findClaim,
  type JsonValue,
  type PolicyItem,
  toClaimReference,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { combinationOf } from '../engine/query/query.js';
import { assertObject } from '../engine/value-types.js';
import { readPredicate } from './formula.js';
import { combine, type Simplified } from './items.js';
import {
  ANALYSIS_OPTIONS,
  type AnalysisOptions,
  type ClaimCatalogue,
  claimsOfCatalogue,
  compileOptions,
} from './options.js';
import { simplifyItem } from './simplify.js';

/**
 * Known claims: claim path → value, `undefined` for a claim that is known not to be defined. A path that is not an
 * own member is unknown, even if a shorter path is known, since a credential may attest it separately (L13). A path whose
 * known value is too deep (L12) is also unknown: an evaluation then looks for the claim in its parent claims (L13).
 */
export type KnownClaims = Readonly<Record<string, JsonValue | undefined>>;

/** Options of {@link residual}. */
export interface ResidualOptions extends AnalysisOptions {
  /**
   * The claims of your catalogue. Queries and known claims with other claims, or with values that do not fit, are then
   * rejected, as by `createEngine`. Default: `'none'`, which accepts all claims.
   */
  readonly catalogue?: ClaimCatalogue;
}

/** The result of a partial evaluation: an outcome, or a query over the unknown claims. */
export type Residual =
  | { readonly kind: 'decided'; readonly passes: boolean }
  | { readonly kind: 'open'; readonly query: PolicyItem };

/**
 * Evaluates the checks on known claims and simplifies the rest. On all claims that include the known ones, the
 * residual has the outcome of the query.
 *
 * @throws {QueryError} When the query is invalid, or does not fit the catalogue.
 * @throws {ClaimError} When the known claims do not fit the catalogue.
 * @throws {RangeError} When a claim path is malformed, `steps` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} For projections, which have no outcome; when an argument has another type.
 */
export function residual(query: unknown, known: KnownClaims, options: ResidualOptions = {}): Residual {
  assertOptions(options, [...ANALYSIS_OPTIONS, 'catalogue']);
  const { catalogue = 'none', ...analysis } = options;
  const engine = compileOptions(analysis);
  const claims = claimsOfCatalogue(catalogue);
  const item = readPredicate(
    query,
    claims === undefined ? engine : { ...engine, claims: withOperandChecks(claims) },
  );
  assertKnownClaims(known, claims);
  const left = decide(item, known, engine);
  const simplified = typeof left === 'boolean' ? left : simplifyItem(left, analysis);
  return typeof simplified === 'boolean'
    ? { kind: 'decided', passes: simplified }
    : { kind: 'open', query: simplified };
}

/** Asserts that the paths and values of known claims are valid. Otherwise, a misspelled path would have no effect, since no check reads it. */
function assertKnownClaims(known: KnownClaims, claims: Catalogue['claims'] | undefined): void {
  if (isClaimSet(known)) throw new TypeError('`known` must be an object of claims by path (got a claim set)');
  assertObject('`known`', known);
  const { of } = claims === undefined ? ClaimSet : createClaimChecker(claims, 'reject').claims;
  of(known);
}

function decide(item: PolicyItem, known: KnownClaims, options: CompileOptions): Simplified {
  if ('check' in item) return decideCheck(item.check, known, options);
  const [kind, items] = combinationOf(item.policy);
  return combine(
    kind,
    items.map((inner) => decide(inner, known, options)),
  );
}

function decideCheck(check: Check, known: KnownClaims, options: CompileOptions): Simplified {
  if (!Object.hasOwn(known, check.claim)) return { check };
  const value = known[check.claim];
  const claims = ClaimSet.of({ [check.claim]: value });
  // A value that is too deep counts as absent (S152), so a parent claim decides (L13).
  if (value !== undefined && findClaim(claims, toClaimReference(check.claim)) === undefined) return { check };
  return compile({ check }, options).test(claims);
}
