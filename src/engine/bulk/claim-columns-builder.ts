/** Builds columns subject by subject, without a list of all subjects in memory (V14, L10–L13). */
import { assertClaimPath, type ClaimReference, toClaimReference } from '../claims/claim-path.js';
import { assertClaimSet, ClaimSet, findClaim, isClaimSet } from '../claims/claim-set.js';
import { type Credential, isActive } from '../claims/credential.js';
import { assertInstant } from '../claims/instant.js';
import { assertJsonClaim, canonicalCopy, type JsonValue } from '../claims/json-value.js';
import { assertOptions } from '../options.js';
import { assertObject, toStrings } from '../value-types.js';
import { ClaimColumns, type KnownClaims } from './claim-columns.js';
import type { Column } from './column.js';
import { ColumnBuilder } from './column-builder.js';

/** Options of {@link ClaimColumnsBuilder}. */
export interface ClaimColumnsOptions {
  /** Instant of the claims, epoch milliseconds; required for credentials. The engine has no clock. */
  readonly now?: number;
  /** The claim paths to keep, such as `compile(query).claims`; queries on others are rejected. All claims by default. */
  readonly claims?: readonly string[];
}

/** Builds {@link ClaimColumns}. Each added subject is the next row; a subject that is rejected with an error adds none. */
export class ClaimColumnsBuilder {
  readonly #now: number | undefined;
  /** The claims to keep, including possible parents. */
  readonly #kept: ReadonlySet<string> | undefined;
  readonly #columns = new Map<string, ColumnBuilder>();
  readonly #references = new Map<string, ClaimReference>();
  #size = 0;

  /**
   * @throws {RangeError} When a path in `claims` is not a claim path (L9), or `now` is not a whole number of
   *   milliseconds in the years 0000 to 9999.
   * @throws {TypeError} When an option has another type, or is not known.
   */
  constructor(options?: ClaimColumnsOptions) {
    assertOptions(options, ['now', 'claims']);
    const { now, claims } = options ?? {};
    if (now !== undefined) assertInstant(now);
    this.#now = now;
    this.#kept =
      claims === undefined ? undefined : new Set(toStrings('`claims`', claims).flatMap(withParents));
  }

  /**
   * Adds a subject by its credentials. Those that are active at `now` count, as in `ClaimSet.at` (L10, L11).
   *
   * @throws {TypeError} When the option `now` is absent, and as `ClaimSet.at` does.
   */
  addCredentials(credentials: readonly Credential[]): void {
    const now = this.#now;
    if (now === undefined)
      throw new TypeError(
        '`addCredentials` requires the option `now`: the instant at which credentials are active',
      );
    const claimSet = ClaimSet.at(credentials, now);
    const active = credentials.filter((credential) => isActive(credential, now));
    const paths = this.#kept ?? new Set(active.flatMap(({ claims }) => Object.keys(claims)));
    this.#addFrom(claimSet, paths);
  }

  /**
   * Adds a subject by its claim set.
   *
   * @throws {TypeError} When the option `claims` is absent: a claim set does not list its paths.
   * @throws {RangeError} When the claim set is for another instant than the option `now`.
   */
  addClaimSet(claims: ClaimSet): void {
    if (this.#kept === undefined)
      throw new TypeError(
        '`addClaimSet` requires the option `claims`, since a claim set does not list its paths',
      );
    assertClaimSet(claims);
    const { at } = claims.metadata;
    // Plain claims without an instant are valid at every instant.
    if (!Number.isNaN(at) && at !== this.#now) {
      const required =
        this.#now === undefined
          ? 'must have no instant, as the builder has no `now`'
          : `must be for the instant ${this.#now}`;
      throw new RangeError(`the claim set ${required} (got ${at})`);
    }
    this.#addFrom(claims, this.#kept);
  }

  /**
   * Adds a subject by its claims alone: claim path → value, `undefined` where the claim is not defined.
   *
   * A value that nests deeper than 16 arrays and objects counts as not defined, as in a credential (S152).
   *
   * @throws {RangeError} When a defined member is not a claim path (L9); with the option `claims`, such a member is ignored.
   * @throws {TypeError} When `row` is not an object, or the value of a claim to keep is not JSON.
   */
  addRow(row: Readonly<Record<string, unknown>>): void {
    if (isClaimSet(row))
      throw new TypeError('`row` must be an object of claims: use `addClaimSet` for claim sets');
    assertObject('`row`', row);
    const paths = Object.keys(row);
    const copies = paths.map((path) => this.#copyOf(path, row[path]));
    this.#add(paths, copies);
  }

  /** Returns the columns of all added subjects. The builder must not be used afterwards. */
  build(): ClaimColumns {
    const columns = new Map<string, Column>();
    for (const [path, column] of this.#columns) columns.set(path, column.finish(this.#size));
    this.#columns.clear();
    const known: KnownClaims = this.#kept === undefined ? 'all' : { paths: this.#kept, option: 'claims' };
    return new ClaimColumns(this.#size, columns, known);
  }

  #addFrom(claims: ClaimSet, paths: Iterable<string>): void {
    const kept = [...paths];
    const values = kept.map((path) => findClaim(claims, this.#referenceOf(path))?.value);
    this.#add(kept, values);
  }

  /** Adds a row. All values must have been checked: the first values of a row rejected here would be part of the next row. */
  #add(paths: readonly string[], values: readonly (JsonValue | undefined)[]): void {
    for (let index = 0; index < paths.length; index += 1) {
      const value = values[index];
      if (value !== undefined) this.#columnOf(paths[index] as string).add(this.#size, value);
    }
    this.#size += 1;
  }

  /** Returns a copy of a claim to keep; `undefined` where it is not kept or not defined. */
  #copyOf(path: string, value: unknown): JsonValue | undefined {
    if (value === undefined || !this.#keeps(path)) return undefined;
    if (!this.#columns.has(path)) assertClaimPath(path);
    assertJsonClaim(path, value);
    return canonicalCopy(value);
  }

  /** Returns the reference of a path without its parents, so that a claim is entered under its own path only. */
  #referenceOf(path: string): ClaimReference {
    const known = this.#references.get(path);
    if (known !== undefined) return known;
    const reference = { ...toClaimReference(path), parents: [] };
    this.#references.set(path, reference);
    return reference;
  }

  #keeps(path: string): boolean {
    return this.#kept === undefined || this.#kept.has(path);
  }

  #columnOf(path: string): ColumnBuilder {
    const known = this.#columns.get(path);
    if (known !== undefined) return known;
    const column = new ColumnBuilder();
    this.#columns.set(path, column);
    return column;
  }
}

function withParents(path: string): readonly string[] {
  assertClaimPath(path);
  return [path, ...toClaimReference(path).parents.map((parent) => parent.path)];
}
