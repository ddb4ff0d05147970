/** Bulk evaluation on several worker threads (V14). */
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  type BulkResult,
  type ClaimColumns,
  type Column,
  createEngine,
  type Engine,
  type EngineOptions,
  type ProgressListener,
  QueryError,
  type QueryLimits,
  RowSet,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { assertPositiveInteger } from '../engine/value-types.js';
import { re2js } from '../regex/re2js.js';
import type { Partition, Reply, Request, SerializedQueryError } from './messages.js';

/** Options of {@link ColumnWorkers}. */
export interface ColumnWorkersOptions extends Pick<EngineOptions, 'catalogue' | 'unknownClaims' | 'limits'> {
  /** Maximum number of threads. Defaults to `availableParallelism()`. */
  readonly threads?: number;
}

/** Options of an evaluation. */
export interface EvaluateOnThreadsOptions {
  /** Aborts the evaluation. Threads check it between slices. */
  readonly signal?: AbortSignal;
  /** Called whenever a thread has evaluated a slice. */
  readonly onProgress?: ProgressListener;
  /** Subjects per slice, a positive multiple of 8,192; 65,536 by default. */
  readonly sliceRows?: number;
}

const WORKER_OPTIONS: readonly (keyof ColumnWorkersOptions)[] = [
  'catalogue',
  'unknownClaims',
  'limits',
  'threads',
];
const EVALUATION_OPTIONS: readonly (keyof EvaluateOnThreadsOptions)[] = ['signal', 'onProgress', 'sliceRows'];

/** The final reply of a thread to a query. */
type WorkerResult = Exclude<Reply, { readonly kind: 'progress' }>;

/** A query in progress. */
interface Pending {
  /** Number of subjects that each thread has evaluated. */
  readonly done: number[];
  /** The final reply of each thread. */
  readonly results: (WorkerResult | undefined)[];
  reportProgress(done: number): void;
  settle(results: readonly WorkerResult[]): void;
  fail(error: unknown): void;
}

/** The path of this file in CommonJS. */
declare const __filename: string | undefined;

/** The program of the threads. It is next to this module, in the ESM and in the CommonJS build. */
const PROGRAM = new URL(
  './column-worker.js',
  typeof __filename === 'string' ? pathToFileURL(__filename) : import.meta.url,
);

/**
 * Evaluates queries on worker threads, each of which has a partition of the subjects.
 *
 * The columns are copied once, when the threads start. The threads keep the process alive until {@link close}.
 * Patterns run on re2js, since a regular-expression engine cannot be sent to a thread. The options `catalogue`,
 * `unknownClaims` and `limits` are those of `createEngine`.
 *
 * @see V14
 * @example
 * const columns = ClaimColumns.of({ 'identity.age': Float64Array.of(34, 17, 52) });
 * const workers = new ColumnWorkers(columns);
 * (await workers.evaluateMany({ check: { claim: 'identity.age', operator: '>=', value: 18 } })).count // 2
 * await workers.close();
 */
export class ColumnWorkers {
  /** Number of subjects. */
  readonly size: number;
  readonly #engine: Engine;
  readonly #limits: Partial<QueryLimits> | undefined;
  readonly #workers: readonly Worker[];
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  /** Why no more queries are accepted; absent while the workers run. */
  #stopReason: Error | undefined;

  /**
   * @throws {TypeError} If an option has another type, or the columns do not fit the claims of the catalogue.
   * @throws {CatalogueError} If the catalogue is invalid.
   * @throws {RangeError} If `threads` is not a whole number of 1 or more, or a limit is out of range.
   */
  constructor(columns: ClaimColumns, options: ColumnWorkersOptions = {}) {
    assertOptions(options, WORKER_OPTIONS);
    const { threads = availableParallelism(), ...engineOptions } = options;
    assertPositiveInteger('`threads`', threads);
    this.#engine = createEngine({ ...engineOptions, regex: re2js });
    this.#limits = engineOptions.limits;
    this.#engine.assertColumns(columns);
    this.size = columns.size;
    this.#workers = partition(columns, threads).map((part, index) => {
      const worker = new Worker(PROGRAM, { workerData: part, transferList: [...buffersOf(part)] });
      worker.on('message', (reply: Reply) => this.#receive(index, reply));
      worker.on('error', (error: unknown) =>
        this.#stop(error instanceof Error ? error : new Error(String(error))),
      );
      worker.on('exit', () =>
        this.#stop(new Error('a worker thread has exited; create a new `ColumnWorkers`')),
      );
      return worker;
    });
  }

  /** Number of threads. May be fewer than requested, since each thread but the last has a multiple of 32 subjects. */
  get threads(): number {
    return this.#workers.length;
  }

  /**
   * Evaluates a query as `evaluateMany` does on the columns; concurrent queries are processed in order.
   *
   * Does not check scopes (L20).
   *
   * @param query - Raw JSON, or a query returned by `parse`.
   * @throws {QueryError} `invalid_query`, also where the columns do not contain a claim (`claim_unknown`), or
   *   `query_too_large`, also if matching patterns would exceed the cost limit for a subject (`limit_match_cost`, S156).
   *   The pointers of `claim_unknown` and `limit_match_cost` refer to the query in canonical form.
   * @throws {TypeError} For projections.
   * @throws {RangeError} If `sliceRows` is out of range.
   * @throws The reason of `options.signal`, after all threads have stopped; errors of `options.onProgress`.
   * @throws {Error} If the workers were closed, or a thread has exited.
   */
  async evaluateMany(query: unknown, options: EvaluateOnThreadsOptions = {}): Promise<BulkResult> {
    assertOptions(options, EVALUATION_OPTIONS);
    const { signal, onProgress, sliceRows } = options;
    signal?.throwIfAborted();
    if (this.#stopReason !== undefined) throw this.#stopReason;
    const parsed = this.#engine.parse(query);
    const aborted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const abort = () => Atomics.store(aborted, 0, 1);
    let callbackError: { readonly error: unknown } | undefined;
    const reportProgress = (done: number): void => {
      if (callbackError !== undefined || signal?.aborted === true) return;
      try {
        onProgress?.(done, this.size);
      } catch (error) {
        callbackError = { error };
        abort();
      }
    };
    signal?.addEventListener('abort', abort);
    try {
      const request = { query: parsed, limits: this.#limits, sliceRows, aborted };
      const results = await this.#send(request, reportProgress);
      if (callbackError !== undefined) throw callbackError.error;
      signal?.throwIfAborted();
      return mergeResults(results, this.size);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Terminates the threads. Pending queries are rejected. */
  async close(): Promise<void> {
    this.#stop(new Error('the workers were closed'));
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #send(
    request: Omit<Request, 'id'>,
    reportProgress: (done: number) => void,
  ): Promise<readonly WorkerResult[]> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((settle, fail) => {
      this.#pending.set(id, {
        done: this.#workers.map(() => 0),
        results: this.#workers.map(() => undefined),
        reportProgress,
        settle,
        fail,
      });
      try {
        for (const worker of this.#workers) worker.postMessage({ id, ...request } satisfies Request);
      } catch (error) {
        // A value that cannot be cloned, such as a function.
        this.#pending.delete(id);
        fail(error);
      }
    });
  }

  #receive(index: number, reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    const { done, results } = pending;
    if (reply.kind === 'progress') {
      done[index] = reply.done;
      pending.reportProgress(done.reduce((sum, rows) => sum + rows, 0));
      return;
    }
    results[index] = reply;
    const finished = results.filter((result) => result !== undefined);
    if (finished.length < results.length) return;
    this.#pending.delete(reply.id);
    pending.settle(finished);
  }

  /** Rejects all pending and future queries with an error, and terminates the threads. The first error is kept. */
  #stop(error: Error): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = error;
    for (const { fail } of this.#pending.values()) fail(error);
    this.#pending.clear();
    for (const worker of this.#workers) void worker.terminate();
  }
}

/** Merges the results of the partitions; throws the first error among them. */
function mergeResults(results: readonly WorkerResult[], size: number): BulkResult {
  const words = new Uint32Array((size + 31) >>> 5);
  let [first, count] = [0, 0];
  for (const result of results) {
    switch (result.kind) {
      case 'result':
        words.set(result.words, first);
        first += result.words.length;
        count += result.count;
        break;
      case 'rejected':
        throw toQueryError(result.error);
      case 'failed':
        throw result.error;
      case 'aborted':
        throw new Error('a worker thread aborted without a request');
    }
  }
  return { passed: new RowSet(size, words), count };
}

function toQueryError({ code, problems, problemCount }: SerializedQueryError): QueryError {
  return QueryError.forProblems({
    reported: problems,
    count: problemCount,
    onlyLimits: code === 'query_too_large',
  });
}

/** Rows per word of a result bitmap. The size of each partition but the last must be a multiple of this number. */
const ROWS_PER_WORD = 32;

/** Copies the rows, in order, into partitions of equal size, the last of which may be smaller: at most one per thread, and at least one. */
function partition(columns: ClaimColumns, threads: number): readonly Partition[] {
  const rows = Math.max(1, Math.ceil(columns.size / threads / ROWS_PER_WORD)) * ROWS_PER_WORD;
  const partitions: Partition[] = [];
  for (let from = 0; from === 0 || from < columns.size; from += rows) {
    partitions.push(toPartition(columns, from, Math.min(from + rows, columns.size)));
  }
  return partitions;
}

/** Returns the buffers of a partition, to transfer them instead of copying. */
function buffersOf({ columns }: Partition): readonly ArrayBuffer[] {
  return columns.flatMap(([, column]) => arraysOf(column).map(({ buffer }) => buffer as ArrayBuffer));
}

function toPartition(columns: ClaimColumns, from: number, to: number): Partition {
  // Each thread builds the columns of members of claims on first use (L13).
  const partitionColumns = Array.from(columns.entries(), ([path, column]): [string, Column] => [
    path,
    rowsOf(column, from, to),
  ]);
  return { size: to - from, columns: partitionColumns, known: columns.known };
}

function rowsOf(column: Column, from: number, to: number): Column {
  switch (column.layout) {
    case 'dictionary':
      return { ...column, codes: column.codes.slice(from, to) };
    case 'numbers':
      return {
        ...column,
        values: column.values.slice(from, to),
        nulls: column.nulls?.slice(from, to),
      };
    case 'plain':
      return { ...column, values: column.values.slice(from, to), prefixes: column.prefixes?.slice(from, to) };
  }
}

function arraysOf(column: Column): readonly (Uint8Array | Uint16Array | Uint32Array | Float64Array)[] {
  switch (column.layout) {
    case 'dictionary':
      return [column.codes];
    case 'numbers':
      return column.nulls === undefined ? [column.values] : [column.values, column.nulls];
    case 'plain':
      return column.prefixes === undefined ? [] : [column.prefixes];
  }
}
