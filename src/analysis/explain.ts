/** Explains why a policy passes or fails for a person, and what would change the outcome (L10, L17, L20, L21). */

import { readCatalogueInCode } from '../engine/catalogue/read-catalogue.js';
import { createClaimChecker } from '../engine/checked-claims.js';
import { indexCredentials, isClaimSet } from '../engine/claims/claim-set.js';
import { fitsClaimType, withOperandChecks } from '../engine/claims/claim-type.js';
import { assertMembers } from '../engine/claims/credential.js';
import { assertInstant, LAST_INSTANT } from '../engine/claims/instant.js';
import {
  type Catalogue,
  type CatalogueClaim,
  type ClaimReference,
  ClaimSet,
  type CompiledQuery,
  type CompileOptions,
  type Credential,
  compile,
  createScopeCatalogue,
  DEFAULT_CLAIMS,
  findClaim,
  type JsonValue,
  type PolicyItem,
  type ScopeCatalogue,
  toClaimReference,
  toScopeDefinitions,
} from '../engine/index.js';
import { assertObject } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { adjustValue, examplesOf } from './fit-values.js';
import { Atoms, type Formula, readPredicate, toFormula } from './formula.js';
import { findInactiveClaim, type InactiveClaim } from './inactive-claims.js';
import { placedItems } from './items.js';
import { type AnalysisOptions, compileOptions, DEFAULT_STEPS } from './options.js';
import { Search } from './search.js';

/** Options of {@link explain}. */
export interface ExplainOptions extends AnalysisOptions {
  /** Instant of evaluation, epoch milliseconds; required for credentials. For a claim set with an instant, it must be the same instant. */
  readonly now?: number;
  /** The scopes that the person granted. Not read where `catalogue` is `'none'`. */
  readonly scopes: Iterable<string>;
  /**
   * The scopes and claims of your catalogue, or its scopes alone as `createScopeCatalogue` returns them (L20); `'none'`:
   * no scope is required. Defaults to the default catalogue. If the catalogue has `claims`, queries, credentials and plain
   * claims are rejected if they contain a claim that it does not list, as by `createEngine`. Proposed values have the types
   * of the catalogue's claims, or of the default claims if `catalogue` is absent.
   */
  readonly catalogue?: ScopeCatalogue | Pick<Catalogue, 'scopes' | 'claims'> | 'none';
}

/** Options of {@link explain} where no scope is required. */
export type UngatedExplainOptions = Omit<ExplainOptions, 'scopes' | 'catalogue'> & {
  readonly catalogue: 'none';
  readonly scopes?: Iterable<string>;
};

/** A claim whose value would have to change. */
export interface ClaimChange {
  readonly claim: string;
  /** `undefined` where the claim is not defined. */
  readonly from: JsonValue | undefined;
  /**
   * The nearest sufficient value, together with the other changes of the set; `undefined` where the claim must not be
   * defined. Equal to `from` where the claim must keep its value, although a claim of which it is a member changes (L13).
   */
  readonly to: JsonValue | undefined;
  /** JSON Pointers into the canonical query: the checks whose outcome would change. */
  readonly checks: readonly string[];
}

/** The explanation of a policy's outcome. */
export type Explanation = {
  /** The query in canonical form, to which pointers refer. */
  readonly query: PolicyItem;
  /** The next instant at which the outcome changes because a credential starts, expires or is revoked, epoch milliseconds. */
  readonly changesAt?: number;
  /** The undefined claims of the query that an expired, revoked or future credential attests. */
  readonly inactive: readonly InactiveClaim[];
  /** Why smaller or other sets may exist; absent where the result is complete. */
  readonly incomplete?: string;
} & (
  | {
      readonly passes: true;
      /** A smallest set of claims that suffices: the policy passes whatever the values of all others are. */
      readonly sufficient: readonly string[];
    }
  | {
      readonly passes: false;
      /** The smallest sets of claims that would have to change. Empty where no values would suffice, or none were found. */
      readonly changes: readonly (readonly ClaimChange[])[];
    }
);

/** Number of sets that are listed. */
const MAX_SETS = 16;
/** Number of sets that are tried before the result is incomplete. */
const MAX_TRIED = 2_000;

/**
 * Explains a policy. Reads no claim before the scopes are found to cover the query.
 *
 * @param person - Credentials of one subject, a claim set, or plain claims. Not modified. Only for credentials, the
 *   explanation has `changesAt` and `inactive` claims.
 * @throws {QueryError} When the query is invalid; `insufficient_scope` before any claim is read (L20).
 * @throws {CatalogueError} When the catalogue is invalid.
 * @throws {CredentialError} When a credential has a claim that the catalogue does not list, or a value of another type.
 * @throws {ClaimError} When plain claims have such a claim or value.
 * @throws {RangeError} When `now`, `steps` or a limit is out of range, `now` is not the instant of the claim set, a limit
 *   does not exist, or a claim path is malformed.
 * @throws {TypeError} For projections, which have no outcome; when an argument has another type.
 * @example
 * const adult = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
 * explain(adult, { 'identity.age': 17 }, { catalogue: 'none' }) // passes: false, with `changes` of `identity.age` to 18
 */
export function explain(
  query: unknown,
  person: readonly Credential[] | ClaimSet | Readonly<Record<string, unknown>>,
  options: UngatedExplainOptions,
): Explanation;
export function explain(
  query: unknown,
  person: readonly Credential[] | ClaimSet | Readonly<Record<string, unknown>>,
  options: ExplainOptions,
): Explanation;
export function explain(
  query: unknown,
  person: readonly Credential[] | ClaimSet | Readonly<Record<string, unknown>>,
  options: ExplainOptions | UngatedExplainOptions,
): Explanation {
  assertObject('`options`', options);
  const { now, scopes, catalogue, ...analysis } = options;
  const engine = compileOptions(analysis);
  const known = toCatalogueClaims(catalogue);
  const item = readPredicate(
    query,
    known.isListed ? { ...engine, claims: withOperandChecks(known.claims) } : engine,
  );
  const compiled = compile(
    item,
    known.scopes === undefined ? engine : { ...engine, catalogue: known.scopes },
  );
  // `scopes` is absent only where no scope is required.
  compiled.assertCovered(scopes as Iterable<string>);
  return new Explainer(item, compiled, toEvaluated(person, now, known), known.claims, analysis).explain();
}

/** The scopes that cover claims, and the types of claims, as a catalogue defines them. */
interface CatalogueClaims {
  /** Absent for the default catalogue. */
  readonly scopes?: ScopeCatalogue | 'none';
  readonly claims: readonly CatalogueClaim[];
  /** Whether other claims are rejected. */
  readonly isListed: boolean;
}

function toCatalogueClaims(catalogue: ExplainOptions['catalogue']): CatalogueClaims {
  if (catalogue === undefined) return { claims: DEFAULT_CLAIMS, isListed: false };
  if (isPlainObject(catalogue) && 'claims' in catalogue) {
    const { scopes, claims } = readCatalogueInCode(catalogue);
    return { scopes: createScopeCatalogue(toScopeDefinitions(scopes, claims)), claims, isListed: true };
  }
  return { scopes: catalogue, claims: [], isListed: false };
}

/** The claims of a person, and the credentials that attest them: none for a claim set or plain claims. `now` is `NaN` for claims without an instant. */
export interface Evaluated {
  readonly claims: ClaimSet;
  readonly credentials: readonly Credential[];
  readonly now: number;
}

function toEvaluated(
  person: unknown,
  now: number | undefined,
  { claims, isListed }: CatalogueClaims,
): Evaluated {
  if (now !== undefined) assertInstant(now);
  if (isClaimSet(person)) {
    const { at } = person.metadata;
    if (now !== undefined && now !== at && !Number.isNaN(at))
      throw new RangeError(`\`now\` must be the instant of the claim set, ${at} (got ${now})`);
    return { claims: person, credentials: [], now: at };
  }
  const checked = isListed ? createClaimChecker(claims, 'reject').claims : undefined;
  if (!Array.isArray(person)) {
    assertObject('`person`', person);
    return { claims: (checked ?? ClaimSet).of(person), credentials: [], now: Number.NaN };
  }
  // The two functions below assert that these are credentials and an instant.
  const [credentials, at] = [person as readonly Credential[], now as number];
  // Without a catalogue of claims, a credential and the claims that are derived from it may be separate entries with one `id`.
  if (checked !== undefined) return { claims: checked.at(credentials, at), credentials, now: at };
  const claimSet = indexCredentials(credentials, at);
  for (const credential of credentials) assertMembers(credential);
  return { claims: claimSet, credentials, now: at };
}

type CheckItem = Extract<PolicyItem, { readonly check: unknown }>;

/** A check and its JSON Pointer in the canonical query. */
interface PlacedCheck {
  readonly item: CheckItem;
  readonly pointer: string;
}

/** Explains a compiled policy. Values that it proposes fit the types of the given claims; the types of other claims are not known. */
export class Explainer {
  readonly #item: PolicyItem;
  readonly #compiled: CompiledQuery;
  readonly #person: Evaluated;
  readonly #steps: number;
  readonly #engine: CompileOptions;
  readonly #claims: ReadonlyMap<string, CatalogueClaim>;
  readonly #atoms = new Atoms();
  readonly #compiledChecks = new Map<CheckItem, CompiledQuery>();
  readonly #current: ReadonlyMap<string, JsonValue | undefined>;
  /** The current values, except of claims that are members of another claim of the query. */
  readonly #attested: ReadonlyMap<string, JsonValue | undefined>;
  #incomplete: string | undefined;

  constructor(
    item: PolicyItem,
    compiled: CompiledQuery,
    person: Evaluated,
    claims: readonly CatalogueClaim[],
    options: AnalysisOptions,
  ) {
    this.#item = item;
    this.#claims = new Map(claims.map((claim) => [claim.path, claim]));
    this.#compiled = compiled;
    this.#person = person;
    this.#steps = options.steps ?? DEFAULT_STEPS;
    this.#engine = compileOptions(options);
    this.#current = new Map(
      compiled.claims.map((path) => [path, findClaim(person.claims, toClaimReference(path))?.value]),
    );
    this.#attested = new Map(
      [...this.#current].filter(([path]) => this.#parentAmong(compiled.claims, path) === undefined),
    );
  }

  explain(): Explanation {
    const passes = this.#compiled.test(this.#person.claims);
    const opposite = toFormula(this.#item, !passes, this.#atoms);
    const search = new Search(this.#atoms.checks, this.#engine, this.#steps, (claim) => ({
      value: this.#current.get(claim),
    }));
    const changesAt = this.#changesAt(passes);
    const found = passes
      ? ({ passes, sufficient: this.#sufficient(search, opposite) } as const)
      : ({ passes, changes: this.#changes(search, opposite) } as const);
    return {
      query: this.#item,
      ...(changesAt === undefined ? {} : { changesAt }),
      inactive: this.#compiled.claims.flatMap((claim) =>
        this.#current.get(claim) === undefined
          ? (findInactiveClaim(claim, this.#person.credentials, this.#person.now) ?? [])
          : [],
      ),
      ...(this.#incomplete === undefined ? {} : { incomplete: this.#incomplete }),
      ...found,
    };
  }

  /** Finds the smallest sets of claims whose change makes the policy pass. */
  #changes(search: Search, passing: Formula): readonly (readonly ClaimChange[])[] {
    let tried = 0;
    for (let size = 1; size <= search.claims.length; size += 1) {
      const found: (readonly ClaimChange[])[] = [];
      for (const claims of subsetsOf(search.claims, size)) {
        if (tried === MAX_TRIED) return this.#cutShort(found, `only ${MAX_TRIED} sets of claims were tried`);
        if (found.length === MAX_SETS)
          return this.#cutShort(found, `only the first ${MAX_SETS} sets are listed`);
        tried += 1;
        // The members of a claim change with it.
        const members = search.claims.filter((path) => this.#parentAmong(claims, path) !== undefined);
        const outcome = search.findWithFree([passing], new Set([...claims, ...members]), (changed) =>
          this.#passesWith(claims, changed),
        );
        if (outcome.kind === 'unknown') this.#incomplete = outcome.reason;
        if (outcome.kind !== 'found') continue;
        const changes = claims.map((claim) => this.#changeOf(claim, claims, outcome.witness[0].claims));
        const misfit = changes.find(({ claim, from, to }) => to !== from && !this.#fits(claim, to));
        if (misfit === undefined) found.push(changes);
        else this.#incomplete = `no value of the type of \`${misfit.claim}\` was found that suffices`;
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Returns whether the policy passes if some claims change; claims that are their members change with them (L13). */
  #passesWith(paths: readonly string[], changed: Credential['claims']): boolean {
    const values = new Map(this.#attested);
    for (const path of paths) values.set(path, changed[path]);
    const defined = [...values].filter(([, value]) => value !== undefined);
    return this.#compiled.test(ClaimSet.of(Object.fromEntries(defined)));
  }

  #cutShort<Found>(found: Found, reason: string): Found {
    this.#incomplete = reason;
    return found;
  }

  #changeOf(claim: string, changed: readonly string[], claims: Credential['claims']): ClaimChange {
    const from = this.#current.get(claim);
    const checks = this.#checksOf(claim, changed);
    const to = this.#fitting(claim, Object.hasOwn(claims, claim) ? claims[claim] : undefined, checks);
    const after = claimSetOf(claim, to);
    const flipped = checks.filter(({ item }) => {
      const { claim: path } = item.check;
      const before = claimSetOf(path, this.#current.get(path));
      return this.#passesOn(item, before) !== this.#passesOn(item, after);
    });
    return { claim, from, to, checks: flipped.map(({ pointer }) => pointer) };
  }

  /**
   * Returns which of `paths` contains a claim as a member (L13) if a claim is defined at each of them; `undefined` if another claim, or no claim,
   * contains it.
   */
  #parentAmong(paths: readonly string[], path: string): string | undefined {
    const reference = toClaimReference(path);
    if (this.#isAttested(reference)) return undefined;
    const parent = reference.parents.find((one) => paths.includes(one.path) || this.#isAttested(one));
    return paths.find((one) => one === parent?.path);
  }

  /** Returns whether a credential attests a claim itself, and not one of which it is a member. */
  #isAttested({ path, slot }: Pick<ClaimReference, 'path' | 'slot'>): boolean {
    return findClaim(this.#person.claims, { path, slot, parents: [] }) !== undefined;
  }

  /** Returns the checks on a claim and on its members that do not change separately. */
  #checksOf(claim: string, changed: readonly string[]): readonly PlacedCheck[] {
    return placedItems(this.#item).flatMap(({ item, pointer }) => {
      if (!('check' in item)) return [];
      const { claim: path } = item.check;
      const isMember = !changed.includes(path) && this.#parentAmong(changed, path) === claim;
      return path === claim || isMember ? [{ item, pointer }] : [];
    });
  }

  /** Returns a value of the claim's type that no check distinguishes from the proposed value; the proposed value if there is none. */
  #fitting(
    path: string,
    value: JsonValue | undefined,
    checks: readonly PlacedCheck[],
  ): JsonValue | undefined {
    const claim = this.#claims.get(path);
    if (claim === undefined || value === undefined || this.#fits(path, value)) return value;
    const proposed = claimSetOf(path, value);
    const outcomes = checks.map(({ item }) => this.#passesOn(item, proposed));
    const hasSameOutcomes = (other: JsonValue) => {
      const claims = claimSetOf(path, other);
      return checks.every(({ item }, index) => this.#passesOn(item, claims) === outcomes[index]);
    };
    return [...adjustValue(value, claim), ...examplesOf(claim)].find(hasSameOutcomes) ?? value;
  }

  #fits(path: string, value: JsonValue | undefined): boolean {
    const claim = this.#claims.get(path);
    return claim === undefined || value === undefined || fitsClaimType(value, claim);
  }

  #passesOn(check: CheckItem, claims: ClaimSet): boolean {
    const compiled = this.#compiledChecks.get(check) ?? compile(check, this.#engine);
    this.#compiledChecks.set(check, compiled);
    return compiled.test(claims);
  }

  /** Finds a smallest set of claims that fixes the outcome. */
  #sufficient(search: Search, failing: Formula): readonly string[] {
    let tried = 0;
    for (let size = 0; size < search.claims.length; size += 1) {
      for (const kept of subsetsOf(search.claims, size)) {
        tried += 1;
        if (tried > MAX_TRIED)
          return this.#cutShort(this.#shrink(search, failing), `only ${MAX_TRIED} sets of claims were tried`);
        const outcome = this.#findFailing(search, failing, kept);
        if (outcome === 'none') return kept;
      }
    }
    return search.claims;
  }

  /** Returns a set from which no claim can be removed, where finding a smallest one would take too long. */
  #shrink(search: Search, failing: Formula): readonly string[] {
    let kept = [...search.claims];
    for (const claim of search.claims) {
      const without = kept.filter((other) => other !== claim);
      if (this.#findFailing(search, failing, without) === 'none') kept = without;
    }
    return kept;
  }

  #findFailing(search: Search, failing: Formula, kept: readonly string[]): 'none' | 'found' | 'unknown' {
    const outcome = search.findWithFree(
      [failing],
      new Set(search.claims.filter((claim) => !kept.includes(claim))),
    );
    if (outcome.kind === 'unknown') this.#incomplete = outcome.reason;
    return outcome.kind;
  }

  /** Finds the first instant at which the outcome changes because of a credential's lifetime (L10). No evaluation has an instant after the year 9999. */
  #changesAt(passes: boolean): number | undefined {
    const { now, credentials } = this.#person;
    const instants = credentials.flatMap(({ issuedAt, expiresAt, revokedAt }) => [
      issuedAt,
      expiresAt ?? now,
      revokedAt ?? now,
    ]);
    const coming = [...new Set(instants)]
      .filter((at) => at > now && at <= LAST_INSTANT)
      .sort((one, other) => one - other);
    return coming.find((at) => this.#compiled.test(indexCredentials(credentials, at)) !== passes);
  }
}

/** Returns the claims of a person with one claim, or with none if its value is `undefined`. */
function claimSetOf(claim: string, value: JsonValue | undefined): ClaimSet {
  return ClaimSet.of(value === undefined ? {} : { [claim]: value });
}

/** Iterates over the subsets of a size, in the order of their members. */
function* subsetsOf<Member>(members: readonly Member[], size: number): Iterable<readonly Member[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = 0; index <= members.length - size; index += 1) {
    const first = members[index] as Member;
    for (const rest of subsetsOf(members.slice(index + 1), size - 1)) yield [first, ...rest];
  }
}
