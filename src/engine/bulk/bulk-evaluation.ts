/** Bulk evaluation: finds the subjects that satisfy a policy, over columns (V14, L19, L21). */
import type { JsonValue } from '../claims/json-value.js';
import { assertEngineForPatterns, assertScopeCatalogue, type CompileOptions } from '../compile/compile.js';
import { tooCostly } from '../compile/guards.js';
import { type PlannedCheck, planItem } from '../compile/plan.js';
import { QueryError } from '../errors.js';
import { assertOptions } from '../options.js';
import { readQuery } from '../query/parse.js';
import { ParseContext, QUERY_OPTIONS } from '../query/parse-context.js';
import { wrongType } from '../value-types.js';
import { ClaimColumns } from './claim-columns.js';
import { type Column, toValueReader } from './column.js';
import { toConjunction, toKernel } from './execution-plan.js';
import type { Kernel } from './kernels.js';
import { BLOCK_ROWS, RowSet, SelectionBitmap } from './row-set.js';

/** The result of a bulk evaluation. */
export interface BulkResult {
  /** The rows of the subjects that pass. */
  readonly passed: RowSet;
  /** Number of subjects that pass. */
  readonly count: number;
}

/** Receives the number of evaluated subjects and the total. */
export type ProgressListener = (done: number, total: number) => void;

/** Aborts a bulk evaluation: an `AbortSignal`, or any object with this method. */
export interface AbortSignalLike {
  /** Throws the reason where the evaluation is to be aborted. */
  throwIfAborted(): void;
}

/** Options of {@link evaluateMany}. */
export interface EvaluateManyOptions extends CompileOptions {
  /** Checked before each slice. */
  readonly signal?: AbortSignalLike;
  /** Called after each slice. */
  readonly onProgress?: ProgressListener;
  /** Subjects per slice, a positive multiple of 8,192; 65,536 by default. */
  readonly sliceRows?: number;
}

/** Options of {@link evaluateManyInSlices}. */
export interface EvaluateManyInSlicesOptions extends EvaluateManyOptions {
  /**
   * Called between slices to yield to the event loop, which the engine does not know. In Node, `setImmediate` from
   * `node:timers/promises`; the global `setImmediate` is rejected, since it returns no promise to wait for.
   */
  readonly pause: () => Promise<unknown>;
}

const DEFAULT_SLICE_ROWS = 65_536;

/**
 * Evaluates a check or a policy for many subjects at once, each with the outcome of `compile(query,
 * options).test(claims)`.
 *
 * Does not check scopes: build columns only of claims that the subjects granted (L20), or call
 * `compile(query).assertCovered` first.
 *
 * @param query - Raw JSON, or a query returned by `parse`.
 * @throws {QueryError} `invalid_query` or `query_too_large` as `compile` does. In addition, `invalid_query` where the
 *   columns do not contain a claim of the query (`claim_unknown`), and `query_too_large` where patterns exceed the cost
 *   limit for a subject (S156); costs are checked before the first pattern is matched.
 * @throws {TypeError} For projections; for a `catalogue` that is not a scope catalogue, as `compile` does; when the query
 *   matches a pattern and `options.regex` is absent; when `columns` are not claim columns; when an option has another type,
 *   or is not known.
 * @throws {RangeError} When a limit or `sliceRows` is out of range, or a limit does not exist.
 * @throws What `options.signal` throws.
 * @see V14
 */
export function evaluateMany(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyOptions = {},
): BulkResult {
  const slices = evaluateSlices(query, columns, options);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
}

/**
 * Evaluates as {@link evaluateMany} does, and pauses between slices, so that a server stays responsive.
 *
 * Rejects with what {@link evaluateMany} throws, with what `options.pause` rejects with, and with a `TypeError` where
 * `pause` returns no promise. The first query on a claim that is a member of other claims (L13) builds its column before
 * the first slice, without a pause.
 *
 * @see V14
 */
export async function evaluateManyInSlices(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyInSlicesOptions,
): Promise<BulkResult> {
  assertOptions(options);
  const pause = (options as Partial<EvaluateManyInSlicesOptions> | undefined)?.pause;
  if (typeof pause !== 'function') throw wrongType('`pause`', 'a function', pause);
  const slices = evaluateSlices(query, columns, options);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
    const paused = pause();
    // Callers without types may return anything.
    if (typeof (paused as Partial<Promise<unknown>> | null | undefined)?.then !== 'function')
      throw wrongType('the result of `pause`', 'a promise', paused);
    await paused;
  }
}

/** The options of both functions besides those of queries. */
export const BULK_OPTIONS = ['signal', 'onProgress', 'sliceRows'];

function* evaluateSlices(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyOptions,
): Generator<void, BulkResult> {
  if (!(columns instanceof ClaimColumns))
    throw wrongType('`columns`', 'claim columns, created by `ClaimColumns.of` or a builder', columns);
  const context = new ParseContext(options, [...QUERY_OPTIONS, ...BULK_OPTIONS, 'pause']);
  const { signal, onProgress, catalogue } = options;
  if (catalogue !== undefined && catalogue !== 'none') assertScopeCatalogue(catalogue);
  const rows = sliceRows(options.sliceRows);
  const kernel = prepare(query, columns, context);
  const passed = new Uint32Array((columns.size + 31) >>> 5);
  let count = 0;
  for (let start = 0; start < columns.size; start += rows) {
    if (start > 0) yield;
    signal?.throwIfAborted();
    const end = Math.min(start + rows, columns.size);
    count += evaluateSlice(kernel, passed, start, end);
    onProgress?.(end, columns.size);
  }
  return { passed: new RowSet(columns.size, passed), count };
}

/** Does all work that precedes the first block: parsing, the cost check of patterns, the tables of checks. */
function prepare(query: unknown, columns: ClaimColumns, context: ParseContext): Kernel {
  const parsed = readQuery(query, context);
  if ('projections' in parsed)
    throw new TypeError('`evaluateMany` requires a check or a policy; use `evaluate` for projections');
  assertEngineForPatterns(context);
  const checks: PlannedCheck[] = [];
  planItem(parsed, context.patterns, checks);
  assertKnown(checks, columns, context);
  assertMatchCosts(checks, columns, context);
  return toKernel(toConjunction(parsed, checks), columns);
}

/**
 * Asserts that the columns determine which subjects have the claims of a query.
 *
 * @throws {QueryError} `invalid_query` (`claim_unknown`), since other claims would be undefined for every subject.
 */
function assertKnown(
  checks: readonly PlannedCheck[],
  columns: ClaimColumns,
  { problems, checkPointers }: ParseContext,
): void {
  const { known } = columns;
  if (known === 'all') return;
  for (const { claim, position } of checks) {
    if (columns.knows(claim, known)) continue;
    const [fault, required] =
      known.option === 'claims'
        ? [
            'The columns were built without the claim',
            ' A claim that queries read must be among the `claims` of the builder.',
          ]
        : [
            'The columns do not contain the claim',
            ' A claim that no person has must be listed in `undefinedClaims`.',
          ];
    problems.addUnknownClaim(
      `${checkPointers[position]}/claim`,
      fault,
      claim.path,
      [...known.paths],
      required,
    );
  }
  if (problems.count > 0) throw QueryError.forProblems(problems);
}

/** Evaluates the subjects from `start` to before `end`, and returns how many pass. */
function evaluateSlice(kernel: Kernel, passed: Uint32Array, start: number, end: number): number {
  const selection = new SelectionBitmap();
  let count = 0;
  for (let first = start; first < end; first += BLOCK_ROWS) {
    const rows = Math.min(BLOCK_ROWS, end - first);
    selection.reset(rows);
    kernel(selection, first, rows);
    count += selection.writeTo(passed, first, rows);
  }
  return count;
}

function sliceRows(rows: number = DEFAULT_SLICE_ROWS): number {
  const required = `a positive multiple of ${BLOCK_ROWS}`;
  if (typeof rows !== 'number') throw wrongType('`sliceRows`', required, rows);
  if (Number.isSafeInteger(rows) && rows > 0 && rows % BLOCK_ROWS === 0) return rows;
  throw new RangeError(`\`sliceRows\` must be ${required} (got ${rows})`);
}

/** A check that matches a pattern, with its column. */
interface Match {
  readonly column: Column;
  /** Cost per code unit of a string. */
  readonly programSize: number;
  readonly pointer: string;
}

/**
 * Asserts the cost limit of patterns for each subject. Examines no subject where even the longest strings of the
 * columns together stay within the limit.
 *
 * @throws {QueryError} `query_too_large` (`limit_match_cost`) for the first subject that exceeds the limit.
 */
function assertMatchCosts(
  checks: readonly PlannedCheck[],
  columns: ClaimColumns,
  { checkPointers, limits: { matchCost: limit } }: ParseContext,
): void {
  const matches = checks.flatMap(({ claim, pattern, position }): Match[] => {
    const column = pattern && columns.find(claim);
    if (column === undefined) return [];
    const pointer = checkPointers[position] as string;
    return [{ column, programSize: pattern?.programSize as number, pointer }];
  });
  const most = matches.reduce((sum, { column, programSize }) => sum + programSize * longest(column), 0);
  if (most <= limit) return;
  const readers = matches.map(({ column, ...match }) => ({ ...match, read: toValueReader(column) }));
  for (let row = 0; row < columns.size; row += 1) {
    let cost = 0;
    for (const { read, programSize, pointer } of readers) {
      cost += programSize * lengthOf(read(row));
      if (cost > limit) throw tooCostly(pointer, limit);
    }
  }
}

function longest(column: Column): number {
  switch (column.layout) {
    case 'dictionary':
      return longestOf(column.entries);
    case 'numbers':
      return 0;
    case 'plain':
      return longestOf(column.values);
  }
}

function longestOf(values: readonly (JsonValue | undefined)[]): number {
  return values.reduce<number>((longest, value) => Math.max(longest, lengthOf(value)), 0);
}

function lengthOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}
