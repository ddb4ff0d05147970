/** Finds the claims that the answer to a query does not disclose, though they are of the same kind as those that the query reads. */
import { fitsClaimType } from '../engine/claims/claim-type.js';
import {
  type Catalogue,
  type CatalogueClaim,
  type Check,
  type JsonValue,
  jsonEquals,
  type Query,
} from '../engine/index.js';
import { checksOf } from '../engine/query/query.js';

type Claims = Catalogue['claims'];

/** A claim whose value an answer does not disclose. */
export interface HiddenClaim {
  readonly path: string;
  /** The query reads the claim, and the answer does not disclose its exact value. */
  readonly isPartlyLearned: boolean;
}

const RANKS = { low: 0, medium: 1, high: 2, critical: 3 } as const;

/**
 * Returns the hidden claims: first those that the query reads, and those from which a claim that it reads is derived; then
 * those under the same scopes; then those of the same categories. In the last two groups, the most sensitive are first.
 *
 * A claim is left out where the answer may disclose it: where the query reads it or a part of it, where a claim that the
 * query reads reveals it, and where both are derived from the same claim. A derived claim is left out in favor of its
 * parent.
 */
export function findHiddenClaims(query: Query, claims: Claims): readonly HiddenClaim[] {
  const paths = 'projections' in query ? query.projections.map(({ claim }) => claim) : readPaths(query);
  const read = claims.filter(({ path }) => paths.some((each) => overlaps(path, each)));
  const disclosed = revealedClaims(read, claims);
  const families = new Set(read.map(familyOf));
  const scopes = new Set(read.map(({ scope }) => scope));
  const categories = new Set(paths.map(categoryOf));
  const answered = 'projections' in query ? disclosed : disclosedClaims(query, claims);
  const partly = read.filter(({ path }) => !answered.has(path)).map(({ path }) => path);
  const others = claims.filter(
    (claim) =>
      categories.has(categoryOf(claim.path)) &&
      !disclosed.has(claim.path) &&
      (claim.derived === undefined || !claims.some(({ path }) => path === claim.derived?.parent)),
  );
  const distance = (claim: CatalogueClaim) =>
    families.has(claim.path) ? 0 : (scopes.has(claim.scope) ? 4 : 8) - RANKS[claim.sensitivity];
  return [
    ...partly.map((path) => ({ path, isPartlyLearned: true })),
    ...[...others]
      .sort((one, other) => distance(one) - distance(other))
      .map(({ path }) => ({ path, isPartlyLearned: false })),
  ];
}

/** Returns the paths of the claims whose values the answer to a question may disclose: not those for which it leaves several values possible. */
export function disclosedClaims(
  query: Exclude<Query, { readonly projections: unknown }>,
  claims: Claims,
): ReadonlySet<string> {
  const paths = readPaths(query);
  const checks = checksOf(query);
  const read = claims.filter(
    (claim) => paths.some((path) => overlaps(claim.path, path)) && !isAmbiguous(claim, checks, claims),
  );
  return revealedClaims(read, claims);
}

function readPaths(query: Exclude<Query, { readonly projections: unknown }>): readonly string[] {
  return checksOf(query).map(({ claim }) => claim);
}

/** Returns whether one path is the other, or contains it. */
function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Returns the paths of claims that are read, and of all claims that their values reveal. */
export function revealedClaims(read: Claims, claims: Claims): ReadonlySet<string> {
  const revealed = new Map(claims.map(({ path, reveals = [] }) => [path, [...reveals]]));
  for (const { path, derived } of claims) if (derived !== undefined) revealed.get(derived.parent)?.push(path);
  const disclosed = new Set(read.map(({ path }) => path));
  for (const path of disclosed) for (const each of revealed.get(path) ?? []) disclosed.add(each);
  return disclosed;
}

/** Returns the path of the claim that issuers attest: the parent of a derived claim, or else the claim itself. */
function familyOf({ path, derived }: CatalogueClaim): string {
  return derived?.parent ?? path;
}

function categoryOf(path: string): string {
  return path.slice(0, path.indexOf('.'));
}

/**
 * Returns whether either answer leaves several values of a claim: it is read by one check, which compares it with a
 * bound or with several values. Small bounds may leave one value, such as the age 0.
 */
function isAmbiguous(claim: CatalogueClaim, checks: readonly Check[], claims: Claims): boolean {
  const family = familyOf(claim);
  const related = checks.filter((check) =>
    claims.some((each) => familyOf(each) === family && overlaps(each.path, check.claim)),
  );
  const [only, second] = related;
  if (only === undefined || second !== undefined || only.claim !== claim.path) return false;
  if (claim.type === 'boolean' || claim.type === 'enum') return false;
  return leavesSeveralValues(only, claim);
}

function leavesSeveralValues({ operator, value }: Check, claim: CatalogueClaim): boolean {
  switch (operator) {
    case '>':
    case '>=':
    case '<':
    case '<=':
      return typeof value === 'string' || (typeof value === 'number' && value > 1);
    case 'in':
    case 'notIn':
      return Array.isArray(value) && distinct(value.filter((entry) => fitsClaimType(entry, claim))) > 1;
    default:
      return false;
  }
}

function distinct(values: readonly JsonValue[]): number {
  return values.filter((value, index) => values.findIndex((other) => jsonEquals(value, other)) === index)
    .length;
}
