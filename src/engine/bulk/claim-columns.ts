/** Claims of many subjects, one column per claim path (V14, L13). */
import { assertClaimPath, type ClaimReference, type ParentClaim } from '../claims/claim-path.js';
import { readMember } from '../claims/claim-set.js';
import { assertOptions } from '../options.js';
import { assertObject, toStrings } from '../value-types.js';
import { type BitSlicedIndex, createBitSlicedIndex } from './bit-sliced-index.js';
import { type Column, type DictionaryColumn, toValueReader } from './column.js';
import { ColumnBuilder, type ColumnInput, sizeOf, toColumn } from './column-builder.js';

/** Number of lookups after which a bit-sliced index is built, which takes about as long as they do. */
export const LOOKUPS_BEFORE_INDEX = 8;

/** The claims that queries may read: the columns determine which subjects have them. */
export type KnownClaims =
  /** A claim without a column is undefined for every subject. */
  | 'all'
  | {
      readonly paths: ReadonlySet<string>;
      /** The option to which a caller can add a claim. With `undefinedClaims`, members of the `paths` are known as well, except of a column of numbers. */
      readonly option: 'claims' | 'undefinedClaims';
    };

/**
 * Claims of many subjects at one instant, one column per claim path. Subjects are identified by row, counted from 0.
 *
 * Immutable as long as the arrays passed to {@link ClaimColumns.of} are not modified; serves any number of queries.
 * {@link ClaimColumnsBuilder} builds columns from credentials.
 *
 * @see V14, L10–L13
 */
export class ClaimColumns {
  /** Number of subjects. */
  readonly size: number;
  /** @internal */
  readonly known: KnownClaims;
  readonly #columns: ReadonlyMap<string, Column>;
  /** Columns of members of other claims, cached on first use. */
  readonly #reached = new Map<string, Column>();
  /** By a column's codes: the number of lookups so far, then the bit-sliced index. */
  readonly #bitSlicedIndexes = new Map<Uint16Array, number | BitSlicedIndex>();

  /**
   * @param columns - Columns of `size` rows each.
   * @param known - The claims that queries may read. Defaults to those with a column.
   */
  constructor(
    size: number,
    columns: ReadonlyMap<string, Column>,
    known: KnownClaims = { paths: new Set(columns.keys()), option: 'undefinedClaims' },
  ) {
    this.size = size;
    this.#columns = columns;
    this.known = known;
  }

  /**
   * Creates columns from arrays, one per claim path. Numbers and 16-bit codes are used in place, everything else is
   * copied.
   *
   * A query on a claim without a column is rejected: a misspelled claim would be undefined for every subject, so that
   * its negation passes for every subject.
   *
   * @param columns - Columns of equal length.
   * @param options.undefinedClaims - Claims that no subject has. Queries on them and on their members are accepted.
   * @throws {RangeError} When a path is not a claim path (L9), lengths differ, a code has no entry, or a byte is neither 0
   *   nor 1.
   * @throws {TypeError} When `columns` is not an object of columns, a value is not JSON, or an option has another type or is
   *   not known.
   */
  static of(
    columns: Readonly<Record<string, ColumnInput>>,
    options?: { readonly undefinedClaims?: readonly string[] },
  ): ClaimColumns {
    assertObject('`columns`', columns);
    assertOptions(options, ['undefinedClaims']);
    const undefinedClaims = toStrings('`undefinedClaims`', options?.undefinedClaims ?? []);
    for (const path of undefinedClaims) assertClaimPath(path);
    const given = Object.entries(columns);
    const size = given[0] === undefined ? 0 : sizeOf(...given[0]);
    const converted = new Map<string, Column>();
    for (const [path, column] of given) {
      assertClaimPath(path);
      const rows = sizeOf(path, column);
      if (rows !== size)
        throw new RangeError(`columns must have equal length: \`${path}\` has ${rows} rows, not ${size}`);
      converted.set(path, toColumn(path, column));
    }
    const paths = new Set([...converted.keys(), ...undefinedClaims]);
    return createColumns(size, converted, { paths, option: 'undefinedClaims' });
  }

  /** The claim paths that have a column. */
  get paths(): readonly string[] {
    return [...this.#columns.keys()];
  }

  /** Returns the claim paths with their columns. @internal */
  entries(): Iterable<readonly [string, Column]> {
    return this.#columns;
  }

  /** Returns whether a claim is among the known ones. @internal */
  knows({ path, parents }: ClaimReference, { paths, option }: Exclude<KnownClaims, 'all'>): boolean {
    if (paths.has(path)) return true;
    // A builder with `claims` omits all other claims, even members of those listed.
    if (option === 'claims') return false;
    return parents.some(
      (parent) => paths.has(parent.path) && this.#columns.get(parent.path)?.layout !== 'numbers',
    );
  }

  /** Finds the column of a claim, directly or as a member of a shorter claim (L13); `undefined` where no subject has it. */
  find(reference: ClaimReference): Column | undefined {
    const own = this.#columns.get(reference.path);
    const parents = reference.parents.filter(({ path }) => this.#columns.has(path));
    if (parents.length === 0) return own;
    const known = this.#reached.get(reference.path);
    if (known !== undefined) return known;
    const reached = this.#reach(own, parents);
    this.#reached.set(reference.path, reached);
    return reached;
  }

  /**
   * Returns the bit-sliced index of a column with few distinct values; `undefined` until enough lookups have been
   * counted. The index takes ⌈log₂ n⌉ bits per subject for n values.
   *
   * @internal
   */
  findBitSlicedIndex({
    codes,
    entries,
  }: Pick<DictionaryColumn, 'codes' | 'entries'>): BitSlicedIndex | undefined {
    const known = this.#bitSlicedIndexes.get(codes) ?? 0;
    if (typeof known === 'object') return known;
    const index = known + 1 < LOOKUPS_BEFORE_INDEX ? undefined : createBitSlicedIndex(codes, entries);
    this.#bitSlicedIndexes.set(codes, index ?? known + 1);
    return index;
  }

  /** Builds a column that has, for each subject, the claim itself, else the member of the longest parent claim that the subject has. */
  #reach(own: Column | undefined, parents: readonly ParentClaim[]): Column {
    const sources = parents.map(({ path, members }) => {
      return { column: this.#columns.get(path) as Column, members };
    });
    const [only, ...others] = sources;
    // A single parent with few distinct values: the member is found once per value instead of once per subject.
    if (own === undefined && others.length === 0 && only?.column.layout === 'dictionary') {
      const { column, members } = only;
      const entries = column.entries.map((entry) =>
        entry === undefined ? entry : readMember(entry, members),
      );
      return { ...column, entries };
    }
    const readers = sources.map(({ column, members }) => ({ read: toValueReader(column), members }));
    if (own !== undefined) readers.unshift({ read: toValueReader(own), members: [] });
    const builder = new ColumnBuilder();
    for (let row = 0; row < this.size; row += 1) {
      for (const { read, members } of readers) {
        const parent = read(row);
        if (parent === undefined) continue;
        const value = readMember(parent, members);
        if (value !== undefined) builder.add(row, value);
        break;
      }
    }
    return builder.finish(this.size);
  }
}

/** Creates columns. A class that names itself would be renamed in the bundle, to `_ClaimColumns`, which consoles would print. */
function createColumns(...parameters: ConstructorParameters<typeof ClaimColumns>): ClaimColumns {
  return new ClaimColumns(...parameters);
}
