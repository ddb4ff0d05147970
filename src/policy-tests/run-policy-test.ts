/** Runs policy tests: compares verdicts with the expected ones, and measures which checks the cases cover. */
import { withOperandChecks } from '../engine/claims/claim-type.js';
import {
  type Catalogue,
  type CheckResult,
  ClaimSet,
  type CompileOptions,
  type Credential,
  compilePredicate,
  createEngine,
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
  type PolicyItem,
  type PredicateResult,
  parse,
  QueryError,
  type QueryLimits,
  type RegexEngine,
  type UngatedQuery,
} from '../engine/index.js';
import { didYouMean, MAX_SUGGESTED_CODE_UNITS } from '../engine/names.js';
import { assertOptions } from '../engine/options.js';
import { ProblemList, pointerTo } from '../engine/problems.js';
import { wrongType } from '../engine/value-types.js';
import { re2js } from '../regex/re2js.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { type CheckCoverage, coverChecks, emptyCoverage } from './coverage.js';
import { messageOf } from './parse-policy-test.js';
import {
  type PolicyTest,
  type PolicyTestCase,
  PolicyTestError,
  type PolicyTestProblem,
} from './policy-test.js';

/** The claims and scopes of a catalogue; `'none'` allows all claims. */
export type TestCatalogue = Pick<Catalogue, 'scopes' | 'claims'> | 'none';

/** Options of {@link runPolicyTest}. */
export interface PolicyTestOptions {
  /** The query; required if the test names a query file. */
  readonly query?: unknown;
  /** The catalogue; required if the test names a catalogue file. */
  readonly catalogue?: TestCatalogue;
  /** Compiles the patterns of `matchRegex`. Defaults to re2js. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits (L7). */
  readonly limits?: Partial<QueryLimits>;
}

/** The result of one case. */
export interface CaseResult {
  readonly title: string;
  /** Whether the verdict, and the failing claims if the case states them, are as expected. */
  readonly ok: boolean;
  readonly expected: boolean;
  readonly actual: boolean;
  /** The checks that made the policy fail, as `CompiledQuery.check` returns them. */
  readonly failing: readonly CheckResult[];
  /** The expected failing claims, if the case states them. */
  readonly expectedFailing?: readonly string[];
}

/** The result of a policy test. */
export interface PolicyTestResult {
  /** The query in canonical form, to which the pointers of `coverage` refer. */
  readonly query: PolicyItem;
  readonly cases: readonly CaseResult[];
  /** One entry per check, in document order. */
  readonly coverage: readonly CheckCoverage[];
}

/**
 * Runs a policy test. Deterministic; reads no clock and no file. Scopes are not checked.
 *
 * @throws {QueryError} When the query is invalid or has projections, or a check does not fit the type of its claim.
 * @throws {PolicyTestError} When a claim is not in the catalogue, a value does not fit the type of its claim, `failing` has a claim that the query does
 * not read, or matching patterns on the claims of a case would exceed the cost limit.
 * @throws {CatalogueError} When the catalogue is invalid.
 * @throws {RangeError} When a limit is out of range or does not exist.
 * @throws {TypeError} When the test was not parsed, or names a file whose content `options` does not have; when an option does not exist or has
 * another type.
 */
export function runPolicyTest(test: PolicyTest, options: PolicyTestOptions = {}): PolicyTestResult {
  if (!isPlainObject(test) || !Array.isArray(test.cases))
    throw wrongType('`test`', 'a policy test, as `parsePolicyTest` returns it', test);
  for (const one of test.cases as readonly unknown[])
    if (!isPlainObject(one) || !isPlainObject(one['claims']) || !isKind(one['claims']['kind']))
      throw new TypeError(
        '`test` must be a policy test, as `parsePolicyTest` returns it (got cases without parsed claims)',
      );
  assertOptions(options, ['query', 'catalogue', 'regex', 'limits']);
  const { regex = re2js, limits } = options;
  const engine: CompileOptions & { readonly catalogue: 'none' } = {
    catalogue: 'none',
    regex,
    ...omitUndefined({ limits }),
  };
  const given = queryOf(test, options);
  const catalogue = catalogueOf(test, options);
  const query = compilePredicate(given, engine);
  assertKnownClaims(test, query.claims, catalogue);
  assertOperands(given, catalogue, engine);
  // A predicate is a check or a policy.
  const item = query.query as PolicyItem;
  const coverage = emptyCoverage(item);
  const cases = test.cases.map((one, index) => runCase(one, `/cases/${index}`, query, item, coverage));
  return { query: item, cases, coverage };
}

function queryOf({ query }: PolicyTest, options: PolicyTestOptions): unknown {
  if (typeof query !== 'string') return query;
  if (options.query !== undefined) return options.query;
  throw new TypeError(`\`options.query\` is required: the test names the query file \`${query}\``);
}

/** Returns the catalogue of a test; the default catalogue if the test names none. */
function catalogueOf({ catalogue }: PolicyTest, options: PolicyTestOptions): TestCatalogue {
  if (catalogue === undefined) return DEFAULT_TEST_CATALOGUE;
  if (catalogue === 'none') return 'none';
  if (options.catalogue !== undefined) return options.catalogue;
  throw new TypeError(
    `\`options.catalogue\` is required: the test names the catalogue file \`${catalogue}\``,
  );
}

/** The default catalogue. */
export const DEFAULT_TEST_CATALOGUE: TestCatalogue = { scopes: DEFAULT_SCOPES, claims: DEFAULT_CLAIMS };

function runCase(
  { title, claims, now = 0, passes: expected, failing: expectedFailing }: PolicyTestCase,
  pointer: string,
  query: UngatedQuery<PredicateResult>,
  item: PolicyItem,
  coverage: CheckCoverage[],
): CaseResult {
  const claimSet =
    claims.kind === 'plain' ? ClaimSet.of(claims.claims, { now }) : ClaimSet.at(claims.credentials, now);
  try {
    const { passed: actual, failing } = query.check(claimSet);
    coverChecks(coverage, item, query.evaluate(claimSet).evidence);
    const isExpected =
      expectedFailing === undefined ||
      haveSameMembers(
        expectedFailing,
        failing.map(({ claim }) => claim),
      );
    const ok = actual === expected && isExpected;
    return { title, ok, expected, actual, failing, ...omitUndefined({ expectedFailing }) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    // Matching the patterns on these claims would exceed the cost limit (S156).
    throw new PolicyTestError([{ code: 'claim_invalid', pointer, message: error.message }]);
  }
}

function isKind(value: unknown): value is PolicyTestCase['claims']['kind'] {
  return value === 'plain' || value === 'credentials';
}

/** @throws {QueryError} For a check that does not fit the type of its claim. */
export function assertOperands(query: unknown, catalogue: TestCatalogue, engine: CompileOptions): void {
  if (catalogue !== 'none') parse(query, { ...engine, claims: withOperandChecks(catalogue.claims) });
}

function haveSameMembers(some: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [new Set(some), new Set(others)];
  return one.size === other.size && [...one].every((member) => other.has(member));
}

/** @throws {PolicyTestError} For claims that the catalogue does not have, and failing claims that the query does not read. */
function assertKnownClaims(test: PolicyTest, pathsRead: readonly string[], catalogue: TestCatalogue): void {
  const problems = new ProblemList<PolicyTestProblem>();
  if (catalogue !== 'none') addClaimProblems(problems, test, pathsRead, catalogue);
  test.cases.forEach(({ failing = [] }, index) => {
    failing.forEach((path, position) => {
      if (pathsRead.includes(path)) return;
      const message = `The query does not read \`${path}\`${suggestion(path, pathsRead)}.`;
      problems.add('claim_unknown', `/cases/${index}/failing/${position}`, message);
    });
  });
  if (problems.reported.length > 0) throw new PolicyTestError(problems.reported);
}

/** Adds a problem for each claim that the catalogue does not have, and each value that does not fit its type. */
function addClaimProblems(
  problems: ProblemList<PolicyTestProblem>,
  test: PolicyTest,
  pathsRead: readonly string[],
  catalogue: Exclude<TestCatalogue, 'none'>,
): void {
  const paths = catalogue.claims.map(({ path }) => path);
  const { claims } = createEngine({ catalogue });
  for (const path of pathsRead) {
    if (!isKnown(path, paths)) problems.add('claim_unknown', '/query', unknownClaim(path, catalogue));
  }
  test.cases.forEach((one, index) => {
    for (const [pointer, path, value] of claimsOf(one, `/cases/${index}`)) {
      const message = messageOf(() => claims.of({ [path]: value }));
      if (message === undefined) continue;
      if (paths.includes(path)) problems.add('claim_invalid', pointer, `${message}.`);
      else problems.add('claim_unknown', pointer, unknownClaim(path, catalogue));
    }
  });
}

/** Returns whether a claim, or the claim of which it is a member, is in the catalogue. */
export function isKnown(path: string, paths: readonly string[]): boolean {
  return paths.some((known) => path === known || path.startsWith(`${known}.`));
}

/**
 * Returns the message for a claim that the catalogue does not have. A test may have the default catalogue only because it names none: then the message
 * advises to name one.
 */
export function unknownClaim(path: string, catalogue: Exclude<TestCatalogue, 'none'>): string {
  const paths = catalogue.claims.map((claim) => claim.path);
  const advice = catalogue === DEFAULT_TEST_CATALOGUE ? ' Name your `catalogue`, or `none`.' : '';
  return `The catalogue has no claim \`${path}\`${suggestion(path, paths)}.${advice}`;
}

function suggestion(path: string, paths: readonly string[]): string {
  const near = didYouMean(path, paths, MAX_SUGGESTED_CODE_UNITS);
  return near === undefined ? '' : ` (did you mean \`${near}\`?)`;
}

type ClaimAtPointer = readonly [pointer: string, path: string, value: Credential['claims'][string]];

function claimsOf({ claims }: PolicyTestCase, pointer: string): readonly ClaimAtPointer[] {
  const entries = (values: Credential['claims'], place: string) =>
    Object.entries(values).map(([path, value]): ClaimAtPointer => [pointerTo(place, path), path, value]);
  return claims.kind === 'plain'
    ? entries(claims.claims, `${pointer}/claims`)
    : claims.credentials.flatMap((one, index) =>
        entries(one.claims, `${pointer}/credentials/${index}/claims`),
      );
}
