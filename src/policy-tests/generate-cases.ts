/** Generates boundary cases of a policy: for each check, claims on which the verdict would change with the outcome of that check. */
import { adjustValue } from '../analysis/fit-values.js';
import { Atoms, type Formula, readPredicate, toFormula } from '../analysis/formula.js';
import { type PlacedItem, placedItems, replaceAt, type Simplified } from '../analysis/items.js';
import { typePolicy } from '../analysis/lint.js';
import { COMPOSED_LIMITS, compileOptions, DEFAULT_STEPS } from '../analysis/options.js';
import { Search } from '../analysis/search.js';
import type { ParentClaim } from '../engine/claims/claim-path.js';
import {
  type CatalogueClaim,
  type Check,
  type CheckResult,
  ClaimSet,
  type CompileOptions,
  type Credential,
  compilePredicate,
  type JsonObject,
  type JsonValue,
  type PolicyInput,
  type PolicyItem,
  type PredicateResult,
  parse,
  toClaimReference,
  type UngatedQuery,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { checksOf } from '../engine/query/query.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { coverChecks, decisiveChecks, emptyCoverage } from './coverage.js';
import { PolicyTestError, type PolicyTestProblem } from './policy-test.js';
import {
  assertOperands,
  DEFAULT_TEST_CATALOGUE,
  isKnown,
  type PolicyTestOptions,
  type TestCatalogue,
  unknownClaim,
} from './run-policy-test.js';

/** A generated case, as in a policy test file. */
export interface GeneratedCase {
  readonly title: string;
  readonly claims: Credential['claims'];
  readonly passes: boolean;
  readonly failing?: readonly string[];
}

/** An outcome of a check for which no case was found on which the check decides the verdict: most often the check is redundant, which `lint` reports. */
export interface MissingCase {
  /** JSON Pointer into the canonical query. */
  readonly pointer: string;
  readonly check: Check;
  readonly outcome: 'passing' | 'failing';
}

/** The generated cases of a policy. */
export interface GeneratedCases {
  readonly cases: readonly GeneratedCase[];
  readonly missing: readonly MissingCase[];
}

/**
 * Generates boundary cases: claims on which the policy passes; for each check, the nearest claims that were found on which that check
 * decides the verdict, once by passing and once by failing; and a case without claims. The cases state what the policy does, so a person must review whether
 * it should.
 *
 * Deterministic: the same query and catalogue give the same cases.
 *
 * @param options.catalogue - Generated values fit the types of its claims. Defaults to the default catalogue.
 * @throws {QueryError} When the query is invalid, or a check does not fit the type of its claim.
 * @throws {RangeError} When a limit is out of range or does not exist.
 * @throws {TypeError} For projections, which have no verdict; when an option has another type or does not exist.
 * @throws {PolicyTestError} When the query reads a claim that the catalogue does not have.
 */
export function generateCases(
  query: unknown,
  options: Omit<PolicyTestOptions, 'query'> = {},
): GeneratedCases {
  assertOptions(options, ['catalogue', 'regex', 'limits']);
  const { catalogue = DEFAULT_TEST_CATALOGUE, ...analysis } = options;
  const engine = compileOptions(analysis);
  const item = readPredicate(query, engine);
  const types = typesOf(item, catalogue, engine);
  assertOperands(query, catalogue, engine);
  return new Generator(item, types, membersOf(item, catalogue), engine).generate();
}

type Claims = Credential['claims'];
type PlacedCheck = PlacedItem & { readonly item: Extract<PolicyItem, { readonly check: unknown }> };
type Outcome = MissingCase['outcome'];

/** Claims from which cases start. Titles describe other cases as changes to them. */
interface Base {
  readonly name: string;
  readonly claims: Claims;
}

/** Claims, with the outcome of each check on them. */
interface Scenario {
  readonly claims: Claims;
  readonly passes: boolean;
  readonly results: readonly CheckResult[];
  readonly decisive: readonly boolean[];
}

class Generator {
  readonly #item: PolicyItem;
  readonly #types: ReadonlyMap<string, CatalogueClaim>;
  readonly #members: ReadonlyMap<string, ParentClaim>;
  readonly #engine: CompileOptions;
  readonly #query: UngatedQuery<PredicateResult>;
  readonly #checks: readonly PlacedCheck[];
  readonly #bases: Base[] = [];
  readonly #added: { readonly scenario: Scenario; readonly base: Base }[] = [];
  readonly #cases: GeneratedCase[] = [];

  constructor(
    item: PolicyItem,
    types: ReadonlyMap<string, CatalogueClaim>,
    members: ReadonlyMap<string, ParentClaim>,
    engine: CompileOptions,
  ) {
    this.#item = item;
    this.#types = types;
    this.#members = members;
    this.#engine = { ...engine, limits: COMPOSED_LIMITS };
    this.#query = compilePredicate(item, { ...engine, catalogue: 'none' });
    this.#checks = placedItems(item).filter((one): one is PlacedCheck => 'check' in one.item);
  }

  generate(): GeneratedCases {
    for (const index of this.#checks.keys()) this.#addCasesOf(index);
    this.#addCase(this.#scenarioOf({}), { name: 'no claims', claims: {} }, 'no claims');
    const missing = this.#coverage().flatMap(({ pointer, check, passing, failing }): MissingCase[] => [
      ...(passing ? [] : [{ pointer, check, outcome: 'passing' } as const]),
      ...(failing ? [] : [{ pointer, check, outcome: 'failing' } as const]),
    ]);
    return { cases: this.#cases, missing };
  }

  /** Adds cases in which the check decides the verdict, by passing and by failing, unless an added case has that outcome already. */
  #addCasesOf(index: number): void {
    const { isNegated } = this.#checks[index] as PlacedCheck;
    if (this.#find(index, 'passing') === undefined && this.#find(index, 'failing') === undefined) {
      // A new base is a case in which the policy passes, so that a reader first sees what the policy requires. It is near the first base, so that bases
      // differ little.
      const current = this.#bases[0]?.claims ?? {};
      const found = this.#search(index, isNegated ? 'failing' : 'passing', current, { free: 'all' });
      if (found === undefined) return;
      const name = this.#bases.length === 0 ? 'base' : `base ${this.#bases.length + 1}`;
      const base: Base = { name, claims: found.claims };
      this.#bases.push(base);
      this.#addCase(found, base, `${name}: passes`);
    }
    for (const [outcome, opposite] of [
      ['passing', 'failing'],
      ['failing', 'passing'],
    ] as const) {
      const from = this.#find(index, opposite);
      if (from === undefined || this.#find(index, outcome) !== undefined) continue;
      const flipped = this.#flip(index, outcome, from.scenario);
      if (flipped === undefined) continue;
      this.#addCase(flipped, from.base, this.#titleOf(index, outcome, from.base, flipped));
    }
  }

  /** Changes the outcome of a check: of that check alone if possible, otherwise also of other checks on its claim, or of checks on all claims. */
  #flip(index: number, outcome: Outcome, { claims, results }: Scenario): Scenario | undefined {
    const claim = (this.#checks[index] as PlacedCheck).item.check.claim;
    return (
      this.#search(index, outcome, claims, { free: claim, others: results }) ??
      this.#search(index, outcome, claims, { free: claim }) ??
      this.#search(index, outcome, claims, { free: 'all' })
    );
  }

  /** Finds an added scenario in which a check has an outcome and decides the verdict. */
  #find(index: number, outcome: Outcome): { readonly scenario: Scenario; readonly base: Base } | undefined {
    return this.#added.find(
      ({ scenario: { results, decisive } }) =>
        decisive[index] === true && results[index]?.passed === (outcome === 'passing'),
    );
  }

  /**
   * Searches for the claims nearest to the current ones on which a check has an outcome and decides the verdict.
   *
   * @param free - The claim that may change; `'all'` for every claim.
   * @param others - Results that all other checks must keep.
   */
  #search(
    index: number,
    outcome: Outcome,
    current: Claims,
    { free, others }: { readonly free: string; readonly others?: readonly CheckResult[] },
  ): Scenario | undefined {
    const atoms = new Atoms();
    const formulas = this.#constraintsOn(index, outcome, others ?? [], current, atoms);
    if (formulas === undefined) return undefined;
    const search = new Search(atoms.checks, this.#engine, DEFAULT_STEPS, (claim) => ({
      value: ownValue(current, claim),
    }));
    const claims = free === 'all' ? new Set(search.claims) : new Set([free]);
    const found = search.findWithFree(formulas, claims);
    if (found.kind !== 'found') return undefined;
    const scenario = this.#fit(found.witness[0].claims);
    const isFound =
      scenario?.decisive[index] === true && scenario.results[index]?.passed === (outcome === 'passing');
    return isFound ? scenario : undefined;
  }

  /** Returns the constraints on the claims; `undefined` where the check cannot decide the verdict on any claims. */
  #constraintsOn(
    index: number,
    outcome: Outcome,
    others: readonly CheckResult[],
    current: Claims,
    atoms: Atoms,
  ): readonly Formula[] | undefined {
    const { item, place, isNegated } = this.#checks[index] as PlacedCheck;
    const constrainVerdict = (simplified: Simplified, passes: boolean) =>
      typeof simplified === 'boolean'
        ? simplified === passes
          ? []
          : undefined
        : [toFormula(simplified, passes, atoms)];
    const whenPassing = constrainVerdict(replaceAt(this.#item, place, true), !isNegated);
    const whenFailing = constrainVerdict(replaceAt(this.#item, place, false), isNegated);
    if (whenPassing === undefined || whenFailing === undefined) return undefined;
    const kept = this.#checks.flatMap((one, other) =>
      other === index || others[other] === undefined
        ? []
        : [toFormula(one.item, others[other].passed, atoms)],
    );
    const checked = toFormula(item, outcome === 'passing', atoms);
    return [...whenPassing, ...whenFailing, checked, ...kept, ...this.#typeConstraints(current, atoms)];
  }

  /** Returns the constraints that each claim has its type or is not defined. The search tries the alternative first that holds now. */
  #typeConstraints(current: Claims, atoms: Atoms): readonly Formula[] {
    return [...this.#types.values()].map((claim): Formula => {
      const undefinedPolicy: PolicyInput = { not: { claim: claim.path, operator: 'isDefined' } };
      const typedPolicy = typePolicy(claim);
      const isDefinedNow = ownValue(current, claim.path) !== undefined;
      const anyOf = isDefinedNow ? [typedPolicy, undefinedPolicy] : [undefinedPolicy, typedPolicy];
      return toFormula(parse({ policy: { anyOf } }, this.#engine) as PolicyItem, true, atoms);
    });
  }

  /** Replaces values that do not fit the types of their claims, without changing an outcome; `undefined` where that is not possible. */
  #fit(found: Claims): Scenario | undefined {
    let scenario = this.#scenarioOf(found);
    for (const [path, value] of Object.entries(found)) {
      const { results } = scenario;
      // With the value itself, the claims are the same: evaluating these for each claim would take cubic time.
      const changed = (other: JsonValue) =>
        other === value ? scenario : this.#scenarioOf({ ...scenario.claims, [path]: other });
      const fitting = adjustValue(value, this.#types.get(path)).find((other) =>
        changed(other).results.every(({ passed }, index) => passed === results[index]?.passed),
      );
      if (fitting === undefined) return undefined;
      scenario = changed(fitting);
    }
    return scenario;
  }

  /** Evaluates the query on claims, which are put in the order in which the query reads them. */
  #scenarioOf(found: Claims): Scenario {
    const claims = Object.fromEntries(
      this.#query.claims.flatMap((path) => (Object.hasOwn(found, path) ? [[path, found[path]]] : [])),
    ) as Claims;
    const { passed, evidence } = this.#query.evaluate(ClaimSet.of(this.#toListed(claims), { now: 0 }));
    const results = evidence.checkResults;
    return { claims, passes: passed, results, decisive: decisiveChecks(this.#item, results) };
  }

  /** Moves members (L13) into the values of the claims that the catalogue lists, since a test file with other claims is rejected. */
  #toListed(claims: Claims): Claims {
    if (this.#members.size === 0) return claims;
    const isMember = ([path]: readonly [string, JsonValue]) => this.#members.has(path);
    const entries = Object.entries(claims);
    const listed = Object.fromEntries(entries.filter((entry) => !isMember(entry)));
    // Shorter paths first, so that a nested member is added to its parent.
    for (const [path, value] of entries
      .filter(isMember)
      .sort(([one], [other]) => one.length - other.length)) {
      const { path: parent, members } = this.#members.get(path) as ParentClaim;
      listed[parent] = withMember(ownValue(listed, parent), members, value);
    }
    return listed;
  }

  #addCase(scenario: Scenario, base: Base, title: string): void {
    const claims = this.#toListed(scenario.claims);
    const text = JSON.stringify(claims);
    if (this.#cases.some((one) => JSON.stringify(one.claims) === text)) return;
    const { passes } = scenario;
    const { failing } = this.#query.check(ClaimSet.of(claims));
    this.#added.push({ scenario, base });
    const names = [...new Set(failing.map(({ claim }) => claim))];
    const isRepeated = this.#cases.some((one) => one.title === title);
    this.#cases.push({
      title: isRepeated ? `${title} (${this.#cases.length + 1})` : title,
      claims,
      passes,
      ...(names.length === 0 ? {} : { failing: names }),
    });
  }

  #titleOf(index: number, outcome: Outcome, base: Base, { claims }: Scenario): string {
    const check = (this.#checks[index] as PlacedCheck).item.check;
    const paths = [...new Set([...Object.keys(base.claims), ...Object.keys(claims)])];
    const changes = paths.flatMap((path) => {
      const [before, after] = [ownValue(base.claims, path), ownValue(claims, path)];
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      return [`${path} ${after === undefined ? 'not defined' : JSON.stringify(after)}`];
    });
    const verb = outcome === 'passing' ? 'passes' : 'fails';
    return `${base.name} with ${changes.join(' and ')}: ${describeCheck(check)} ${verb}`;
  }

  #coverage(): ReturnType<typeof emptyCoverage> {
    const coverage = emptyCoverage(this.#item);
    for (const { scenario } of this.#added)
      coverChecks(coverage, this.#item, { checkResults: scenario.results, claimsUsed: [] });
    return coverage;
  }
}

/** Describes a check on one line, such as `identity.age >= 18`. */
export function describeCheck({ claim, operator, value }: Check): string {
  return operator === 'isDefined' ? `${claim} ${operator}` : `${claim} ${operator} ${JSON.stringify(value)}`;
}

function withMember(
  object: JsonValue | undefined,
  [name, ...deeper]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined) return value;
  const members: JsonObject = isPlainObject(object) ? (object as JsonObject) : {};
  return { ...members, [name]: withMember(ownValue(members, name), deeper, value) };
}

/** Returns the claims of a query that are members of claims of the catalogue, each with that claim. */
function membersOf(item: PolicyItem, catalogue: TestCatalogue): ReadonlyMap<string, ParentClaim> {
  if (catalogue === 'none') return new Map();
  const listed = new Set(catalogue.claims.map(({ path }) => path));
  const entries = checksOf(item).flatMap(({ claim }): (readonly [string, ParentClaim])[] => {
    const parent = toClaimReference(claim).parents.find(({ path }) => listed.has(path));
    return listed.has(claim) || parent === undefined ? [] : [[claim, parent]];
  });
  return new Map(entries);
}

function ownValue(claims: Claims, path: string): JsonValue | undefined {
  return Object.hasOwn(claims, path) ? claims[path] : undefined;
}

/** Returns the claims that a query reads, as the catalogue defines them. @throws {PolicyTestError} For unknown claims. */
function typesOf(
  item: PolicyItem,
  catalogue: TestCatalogue,
  engine: CompileOptions,
): ReadonlyMap<string, CatalogueClaim> {
  if (catalogue === 'none') return new Map();
  const { claims: pathsRead } = compilePredicate(item, { ...engine, catalogue: 'none' });
  const paths = catalogue.claims.map(({ path }) => path);
  const unknown = placedItems(item).flatMap((placed): PolicyTestProblem[] => {
    if (!('check' in placed.item)) return [];
    const { claim } = placed.item.check;
    if (isKnown(claim, paths)) return [];
    return [{ code: 'claim_unknown', pointer: placed.pointer, message: unknownClaim(claim, catalogue) }];
  });
  if (unknown.length > 0) throw new PolicyTestError(unknown);
  return new Map(catalogue.claims.flatMap((one) => (pathsRead.includes(one.path) ? [[one.path, one]] : [])));
}
