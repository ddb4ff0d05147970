/** Reference interpreter of the language, written from its specification for clarity, not speed. Shares no parsing or evaluation code with the engine. */
import type { Credential } from '../engine/claims/credential.js';
import type { JsonObject, JsonValue } from '../engine/claims/json-value.js';
import { QueryError } from '../engine/errors.js';
import type { Projection } from '../engine/lenses.js';
import type { Check, PolicyItem } from '../engine/query/query.js';
import type { RegexEngine } from '../engine/regex-engine.js';
import type { CheckResult, PredicateResult, ProjectionResult, QueryResult } from '../engine/result.js';
import type { ScopeDefinition } from '../engine/scopes/catalogue.js';
import { examine, type FoundProblem, measurePattern, REFERENCE_LIMITS } from './reference-examination.js';
import { checksOf, normalize, type PlacedCheck, writeCanonical } from './reference-query.js';
import { isArray, isObject, nestsWithin, OPERATOR_TESTS, sorted, writeInstant } from './reference-values.js';

/** Further problems are counted but not listed (L8). */
const LISTED_PROBLEMS = 50;

/** 9999-12-31T23:59:59.999Z, the last instant that RFC 3339 can represent (L22). */
const LAST_WRITABLE_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Options of {@link interpret}. */
export interface InterpretOptions {
  /** Instant of evaluation, epoch milliseconds. */
  readonly now: number;
  /** The scopes that the person granted. */
  readonly scopes: readonly string[];
  /** All scopes; none implies itself, directly or through others. */
  readonly catalogue: readonly ScopeDefinition[];
  /** Compiles the patterns of `matchRegex`. */
  readonly regex: RegexEngine;
  /** Lifetime of a result in which no credential expires, in seconds; 300 by default (L22). */
  readonly resultLifetimeSeconds?: number;
}

/** The claim found for each path of a query. */
type Claims = ReadonlyMap<string, FoundClaim | undefined>;

/**
 * Evaluates a query as the specification defines it, as the reference for other implementations.
 *
 * @param query - Any value. Not modified.
 * @param credentials - Credentials of one subject, with distinct `id`s. Not modified.
 * @throws {QueryError} `invalid_query`, `query_too_large` or `insufficient_scope`. Messages of problems name only their
 *   codes.
 * @see L1–L24
 */
export function interpret(
  query: unknown,
  credentials: readonly Credential[],
  options: InterpretOptions,
): QueryResult {
  const { now, scopes, catalogue, regex, resultLifetimeSeconds = 300 } = options;
  const valid = assertValid(query, regex);
  const normalized = normalize(valid);
  const checks = 'projections' in normalized ? [] : checksOf(valid);
  const readers = 'projections' in normalized ? normalized.projections : checks;
  const paths = [...new Set(readers.map(({ claim }) => claim))];
  assertCovered(paths, scopes, catalogue);

  const active = credentials.filter((credential) => isActive(credential, now));
  const claims = new Map(paths.map((path) => [path, findClaim(path, active)]));

  const expiries = [...claims.values()].flatMap((claim) => claim?.credential.expiresAt ?? []);
  const earliest = expiries.length > 0 ? Math.min(...expiries) : now + resultLifetimeSeconds * 1_000;
  const expiry = Math.min(earliest, LAST_WRITABLE_INSTANT);
  const [evaluatedAt, expiresAt] = [writeInstant(now), writeInstant(expiry)];

  if ('projections' in normalized)
    return { ...project(normalized.projections, claims, evaluatedAt), expiresAt };
  assertMatchCost(checks, claims, regex);
  return { ...evaluatePredicate(normalized, checks, claims, regex, evaluatedAt), expiresAt };
}

/**
 * Writes the canonical text of a query as the specification defines it, as the reference for other implementations.
 *
 * @param query - Any value. Not modified.
 * @param options - `regex` compiles the patterns of `matchRegex`, to report invalid ones.
 * @throws {QueryError} `invalid_query` or `query_too_large`.
 * @see L25
 */
export function canonicalize(query: unknown, { regex }: Pick<InterpretOptions, 'regex'>): string {
  // A normalized query is JSON, which its type does not express.
  return writeCanonical(normalize(assertValid(query, regex)) as unknown as JsonValue);
}

/** Returns a query without problems (L8). */
function assertValid(query: unknown, regex: RegexEngine): JsonObject {
  const problems = examine(query, regex);
  if (problems.length > 0) throw rejection(problems);
  return query as JsonObject;
}

function rejection(problems: readonly FoundProblem[]): QueryError {
  const reported = problems
    .slice(0, LISTED_PROBLEMS)
    .map((problem) => ({ ...problem, message: `The query has the problem \`${problem.code}\`.` }));
  const onlyLimits = problems.every(({ code }) => code.startsWith('limit_'));
  return QueryError.forProblems({ reported, count: problems.length, onlyLimits });
}

/** Evaluates every check, even when the outcome is already known (L21). */
function evaluatePredicate(
  item: PolicyItem,
  checks: readonly PlacedCheck[],
  claims: Claims,
  regex: RegexEngine,
  evaluatedAt: string,
): Omit<PredicateResult, 'expiresAt'> {
  const holds = ({ claim, operator, value = true }: Check): boolean => {
    const found = claims.get(claim);
    return found !== undefined && OPERATOR_TESTS[operator](found.value, value, regex);
  };
  const checkResults = checks.map((check): CheckResult => {
    const { claim, operator, value: operand = true } = check;
    const found = claims.get(claim);
    const shown = { claim, operator, expectedValue: sorted(operand) };
    const passed = holds(check);
    return found === undefined ? { ...shown, passed } : { ...shown, actualValue: found.value, passed };
  });
  const claimsUsed = [...claims].flatMap(([path, found]) => {
    if (found === undefined) return [];
    const { id, source } = found.credential;
    return { path, value: found.value, credentialId: id, source };
  });
  const evidence = { claimsUsed, checkResults };
  return { type: 'predicate', passed: passes(item, holds), evaluatedAt, evidence };
}

/** `allOf`, `anyOf` and `not` are two-valued (L19). */
function passes(item: PolicyItem, holds: (check: Check) => boolean): boolean {
  if ('check' in item) return holds(item.check);
  const { policy } = item;
  if ('allOf' in policy) return policy.allOf.every((inner) => passes(inner, holds));
  if ('anyOf' in policy) return policy.anyOf.some((inner) => passes(inner, holds));
  return !passes(policy.not, holds);
}

/** Projects claims: every requested claim is in `data`; defined ones are in `claimsUsed`, as extracted (L23). */
function project(
  projections: readonly Projection[],
  claims: Claims,
  evaluatedAt: string,
): Omit<ProjectionResult, 'expiresAt'> {
  const extracted = projections.map((projection) => {
    const found = claims.get(projection.claim);
    const value = found === undefined ? null : applyLens(projection, found.value);
    return { path: projection.claim, value, isDefined: found !== undefined };
  });
  const data = Object.fromEntries(extracted.map(({ path, value }) => [path, value]));
  const claimsUsed = extracted
    .filter(({ isDefined }) => isDefined)
    .map(({ path, value }) => ({ path, value }));
  return { type: 'projection', data, evaluatedAt, claimsUsed };
}

/** Applies a lens. A lens that does not fit the value gives `null` (L5, L23). */
function applyLens(projection: Projection, value: JsonValue): JsonValue {
  switch (projection.lens) {
    case 'pluck':
      return value;
    case 'pick': {
      const { fields } = projection;
      if (!isObject(value)) return null;
      const members = Object.entries(value);
      return Object.fromEntries(members.filter(([name]) => fields === undefined || fields.includes(name)));
    }
    case 'at': {
      const { index } = projection;
      if (!isArray(value)) return null;
      return value[index < 0 ? value.length + index : index] ?? null;
    }
  }
}

/** Asserts that the granted scopes cover every path, whatever the claims are (L20). */
function assertCovered(
  paths: readonly string[],
  scopes: readonly string[],
  catalogue: readonly ScopeDefinition[],
): void {
  const granted = withImplied(scopes, catalogue);
  const missing = paths
    .map((claim) => ({ claim, scopes: coveringScopes(claim, catalogue) }))
    .filter((entry) => !entry.scopes.some((scope) => granted.includes(scope)));
  if (missing.length > 0) throw QueryError.forMissingScopes(missing);
}

function withImplied(scopes: readonly string[], catalogue: readonly ScopeDefinition[]): readonly string[] {
  const defined = catalogue.filter(({ name }) => scopes.includes(name));
  return defined.flatMap(({ name, implies = [] }) => [name, ...withImplied(implies, catalogue)]);
}

/** Returns the scopes that list the path of a claim in `covers`; if there are none, those that list its longest listed prefix. */
function coveringScopes(path: string, catalogue: readonly ScopeDefinition[]): readonly string[] {
  const names = path.split('.');
  const upwards = names.map((_, index) => names.slice(0, names.length - index).join('.'));
  const lists = upwards.map((level) => catalogue.filter(({ covers = [] }) => covers.includes(level)));
  return (lists.find((scopes) => scopes.length > 0) ?? []).map(({ name }) => name);
}

/** Asserts that the total cost of matching is within its limit, before a pattern is matched (L7). */
function assertMatchCost(checks: readonly PlacedCheck[], claims: Claims, regex: RegexEngine): void {
  const limit = REFERENCE_LIMITS.limit_match_cost;
  let cost = 0;
  for (const { claim, operator, value, pointer } of checks) {
    const text = claims.get(claim)?.value;
    if (operator !== 'matchRegex' || typeof text !== 'string') continue;
    const measure = measurePattern(String(value), regex);
    cost += measure.accepted ? measure.size * text.length : 0;
    if (cost > limit) throw rejection([{ code: 'limit_match_cost', pointer, limit }]);
  }
}

/** A defined claim, and the credential that attests it. */
export interface FoundClaim {
  readonly value: JsonValue;
  readonly credential: Credential;
}

/** Maximum depth of claims; a deeper one counts as not defined (L12). */
const DEEPEST_CLAIM = 16;

/** Returns whether a credential is active at an instant (L10). Never throws. */
function isActive(credential: Credential, now: number): boolean {
  const { issuedAt, expiresAt = Infinity, revokedAt = Infinity } = credential;
  return issuedAt <= now && now < expiresAt && now < revokedAt;
}

/** Finds the claim at a path among active credentials; `undefined` where it is not defined (L11–L13). Never throws. */
function findClaim(path: string, active: readonly Credential[]): FoundClaim | undefined {
  const names = path.split('.');
  for (let count = names.length; count >= 2; count -= 1) {
    const parentClaim = findAttested(names.slice(0, count).join('.'), active);
    if (parentClaim !== undefined) return readMember(parentClaim, names.slice(count));
  }
  return undefined;
}

function findAttested(path: string, active: readonly Credential[]): FoundClaim | undefined {
  const attesting = active.filter(
    ({ claims }) => Object.hasOwn(claims, path) && nestsWithin(DEEPEST_CLAIM, claims[path] as JsonValue),
  );
  // The credential issued last takes precedence; of those issued at the same instant, the one with the smallest id.
  const [latest] = attesting.sort((a, b) => b.issuedAt - a.issuedAt || (a.id < b.id ? -1 : 1));
  return latest && { value: sorted(latest.claims[path] as JsonValue), credential: latest };
}

function readMember(found: FoundClaim, [member, ...deeper]: readonly string[]): FoundClaim | undefined {
  if (member === undefined) return found;
  const { value, credential } = found;
  if (!isObject(value) || !Object.hasOwn(value, member)) return undefined;
  return readMember({ value: value[member] as JsonValue, credential }, deeper);
}
