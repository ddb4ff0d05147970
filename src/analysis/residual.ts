/** Partial evaluation: the rest of a policy once some claims are known (L13, L14, L19). */

import { ClaimSet } from '../engine/claims/claim-set.js';
import {
  type Check,
  type CompileOptions,
  compile,
  type JsonValue,
  type PolicyItem,
} from '../engine/index.js';
import { combinationOf } from '../engine/query/query.js';
import { assertObject } from '../engine/value-types.js';
import { readPredicate } from './formula.js';
import { combine, type Simplified } from './items.js';
import { type AnalysisOptions, compileOptions } from './options.js';
import { simplifyItem } from './simplify.js';

/**
 * Known claims: claim path → value, `undefined` for a claim that is known not to be defined. A path that is not an
 * own member is unknown, even if a shorter path is known, since a credential may attest it separately (L13).
 */
export type KnownClaims = Readonly<Record<string, JsonValue | undefined>>;

/** The result of a partial evaluation: an outcome, or a query over the unknown claims. */
export type Residual =
  | { readonly kind: 'decided'; readonly passes: boolean }
  | { readonly kind: 'open'; readonly query: PolicyItem };

/**
 * Evaluates the checks on known claims and simplifies the rest. On all claims that include the known ones, the
 * residual has the outcome of the query.
 *
 * @throws {QueryError} When the query is invalid.
 * @throws {TypeError} For projections, which have no outcome.
 */
export function residual(query: unknown, known: KnownClaims, options: AnalysisOptions = {}): Residual {
  const engine = compileOptions(options);
  assertObject('`known`', known);
  const left = decide(readPredicate(query, engine), known, engine);
  const simplified = typeof left === 'boolean' ? left : simplifyItem(left, options);
  return typeof simplified === 'boolean'
    ? { kind: 'decided', passes: simplified }
    : { kind: 'open', query: simplified };
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
  const claims = value === undefined ? {} : { [check.claim]: value };
  return compile({ check }, options).test(ClaimSet.of(claims));
}
