/** Builds the columns subject by subject, so that no list of subjects has to be in memory (V14, L10–L13). */
import { type ClaimReference, toClaimReference } from '../claims/claim-path.js';
import { ClaimSet, findClaim } from '../claims/claim-set.js';
import type { Credential } from '../claims/credential.js';
import { canonicalCopy, type JsonValue } from '../claims/json-value.js';
import { assertClaimPath, ClaimColumns } from './claim-columns.js';
import type { Column } from './column.js';
import { ColumnBuilder } from './column-builder.js';

/** Of which instant and of which claims the columns are. */
export interface ClaimColumnsOptions {
  /** Instant for which the claims are indexed, epoch milliseconds. The engine has no clock. */
  readonly now: number;
  /** The claim paths that will be asked for, such as `compile(query).claims`; every claim is kept where absent. */
  readonly claims?: readonly string[];
}

/** Adds subjects one by one, each as the next row. */
export class ClaimColumnsBuilder {
  readonly #now: number;
  /** The claims to keep, those among them that may carry others. */
  readonly #kept: ReadonlySet<string> | undefined;
  readonly #columns = new Map<string, ColumnBuilder>();
  readonly #references = new Map<string, ClaimReference>();
  #size = 0;

  /** @throws {RangeError} When a path in `claims` is no claim path (L9). */
  constructor({ now, claims }: ClaimColumnsOptions) {
    this.#now = now;
    this.#kept = claims && new Set(claims.flatMap(withParents));
  }

  /**
   * Adds a subject by its credentials: those that are active at `now` speak, as in `ClaimSet.at` (L10, L11).
   *
   * @throws {RangeError} When `now` is not a whole number of milliseconds in the years 0000 to 9999.
   */
  addCredentials(credentials: readonly Credential[]): void {
    const paths = this.#kept ?? new Set(credentials.flatMap(({ claims }) => Object.keys(claims)));
    this.#addFrom(ClaimSet.at(credentials, this.#now), paths);
  }

  /**
   * Adds a subject by claims that are indexed already.
   *
   * @throws {TypeError} When the builder was not told which claims to keep: a claim set does not list its own.
   * @throws {RangeError} When the claims are indexed for another instant.
   */
  addClaimSet(claims: ClaimSet): void {
    if (this.#kept === undefined)
      throw new TypeError('a claim set does not list its claims; name them in `claims`');
    if (claims.metadata.at !== this.#now) {
      throw new RangeError(`the claims are indexed for ${claims.metadata.at}, not for ${this.#now}`);
    }
    this.#addFrom(claims, this.#kept);
  }

  /**
   * Adds a subject by its claims alone: claim path → value, `undefined` where the claim is not defined.
   *
   * A value that nests deeper than 16 arrays and objects counts as not defined, as in a credential (S152).
   *
   * @throws {RangeError} When a member is no claim path (L9).
   */
  addRow(row: Readonly<Record<string, JsonValue | undefined>>): void {
    for (const path of Object.keys(row)) {
      const value = row[path];
      if (value === undefined || !this.#keeps(path)) continue;
      if (!this.#columns.has(path)) assertClaimPath(path);
      const copy = canonicalCopy(value);
      if (copy !== undefined) this.#columnOf(path).add(this.#size, copy);
    }
    this.#size += 1;
  }

  /** The columns of the subjects added so far. The builder must not be used afterwards. */
  build(): ClaimColumns {
    const columns = new Map<string, Column>();
    for (const [path, column] of this.#columns) columns.set(path, column.finish(this.#size));
    this.#columns.clear();
    return new ClaimColumns(this.#size, columns);
  }

  #addFrom(claims: ClaimSet, paths: Iterable<string>): void {
    for (const path of paths) {
      const defined = findClaim(claims, this.#referenceOf(path));
      if (defined !== undefined) this.#columnOf(path).add(this.#size, defined.value);
    }
    this.#size += 1;
  }

  /** Without carriers, so that a claim is entered under its own path only. */
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
