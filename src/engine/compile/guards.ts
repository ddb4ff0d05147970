/** Preconditions of an evaluation: the granted scopes cover its claims (L20), and its patterns stay within the cost limit (S156). */
import { type ClaimSet, findValue } from '../claims/claim-set.js';
import { type MissingScope, QueryError } from '../errors.js';
import { suggestion } from '../names.js';
import type { ParseContext } from '../query/parse-context.js';
import { QueryProblems } from '../query/problem-list.js';
import type { ScopeCatalogue } from '../scopes/catalogue.js';
import { toStrings } from '../value-types.js';
import type { PlannedCheck } from './plan.js';

/** Number of claims that fit into the bits of a small integer. */
const MAX_MASKED_CLAIMS = 30;

/** Throws where the granted scopes do not cover every claim of the query. */
export type ScopeGate = (granted: Iterable<string> | undefined) => void;

/**
 * Creates the scope gate of a query. Its outcome depends on the query, the catalogue and the granted scopes, never
 * on claims.
 *
 * @param claims - The distinct claim paths of the query, in order of first use.
 * @returns A gate that throws {@link QueryError} `insufficient_scope` with every claim that is not covered.
 * @see L20
 */
export function toScopeGate(claims: readonly string[], catalogue: ScopeCatalogue): ScopeGate {
  let passedLast: readonly string[] | undefined;
  /** Created when a list of scopes is checked after another one passed. */
  let masks: Map<string, number> | undefined;
  return (granted) => {
    if (isSame(granted, passedLast)) return;
    const scopes = toStrings('`scopes`', granted);
    if (passedLast !== undefined) masks ??= new Map();
    let covered = 0;
    if (claims.length <= MAX_MASKED_CLAIMS)
      for (const scope of scopes) covered |= masks?.get(scope) ?? maskOf(scope, claims, catalogue, masks);
    if (covered !== 2 ** claims.length - 1) {
      const held = catalogue.expand(scopes);
      const missing = claims
        .filter((claim) => !isCovered(claim, held, catalogue))
        .map((claim): MissingScope => Object.freeze({ claim, scopes: catalogue.coveringScopes(claim) }));
      if (missing.length > 0) throw QueryError.forMissingScopes(missing, hintFor(missing, catalogue));
    }
    passedLast = scopes;
  };
}

/** Returns a bit for each claim that a scope covers, directly or by scopes that it implies. */
function maskOf(
  scope: string,
  claims: readonly string[],
  catalogue: ScopeCatalogue,
  masks: Map<string, number> | undefined,
): number {
  const held = catalogue.expand([scope]);
  const mask = claims.reduce(
    (bits, claim, position) => bits | (Number(isCovered(claim, held, catalogue)) << position),
    0,
  );
  if (held.size > 0) masks?.set(scope, mask);
  return mask;
}

function isCovered(claim: string, held: ReadonlySet<string>, catalogue: ScopeCatalogue): boolean {
  return catalogue.coveringScopes(claim).some((scope) => held.has(scope));
}

/** Describes the first claim that no scope covers, which may be misspelled; empty where a scope covers each. */
function hintFor(missing: readonly MissingScope[], { covered = [] }: ScopeCatalogue): string {
  const claim = missing.find(({ scopes }) => scopes.length === 0)?.claim;
  if (claim === undefined) return '';
  return ` No scope of the catalogue covers \`${claim}\`.${suggestion(claim, covered)}`;
}

/** Returns whether the granted scopes are those that passed last, the frequent case. */
function isSame(granted: Iterable<string> | undefined, last: readonly string[] | undefined): boolean {
  if (last === undefined || !Array.isArray(granted) || granted.length !== last.length) return false;
  for (let index = 0; index < last.length; index += 1) {
    if (granted[index] !== last[index]) return false;
  }
  return true;
}

/** Throws where matching would exceed the cost limit. */
export type MatchCostGuard = (claims: ClaimSet) => void;

/**
 * Creates the guard of checks that match patterns. Cost: the sum of program size × code units of the claim.
 *
 * @returns `undefined` where no check matches a pattern. The guard throws {@link QueryError} `query_too_large`
 *   (`limit_match_cost`).
 */
export function toMatchCostGuard(
  checks: readonly PlannedCheck[],
  { checkPointers, limits: { matchCost: limit } }: ParseContext,
): MatchCostGuard | undefined {
  if (!checks.some(({ pattern }) => pattern !== undefined)) return undefined;
  const matching = checks.flatMap(({ claim, pattern, position }) =>
    pattern === undefined
      ? []
      : [{ claim, programSize: pattern.programSize, pointer: checkPointers[position] as string }],
  );
  const programSizes = matching.reduce((sum, { programSize }) => sum + programSize, 0);
  return (claims) => {
    // Where even the longest string stays within the limit, no claim has to be read.
    if (programSizes * claims.metadata.longestString <= limit) return;
    let cost = 0;
    for (const { claim, programSize, pointer } of matching) {
      const value = findValue(claims, claim);
      if (typeof value === 'string') cost += programSize * value.length;
      if (cost > limit) throw tooCostly(pointer, limit);
    }
  };
}

/** Creates the error for the check at which the limit is exceeded. */
export function tooCostly(pointer: string, limit: number): QueryError {
  const problems = new QueryProblems();
  const unit = 'steps; use fewer or shorter patterns';
  problems.addLimit(
    'limit_match_cost',
    pointer,
    limit,
    'Matching these patterns on these claims must take',
    unit,
  );
  return QueryError.forProblems(problems);
}
