/** Messages between the main thread and the worker threads. */
import type {
  ClaimColumns,
  Column,
  Query,
  QueryErrorCode,
  QueryLimits,
  QueryProblem,
} from '../engine/index.js';

/** The subjects of one thread: consecutive rows of the columns. */
export interface Partition {
  readonly size: number;
  readonly columns: readonly (readonly [path: string, column: Column])[];
  readonly known: ClaimColumns['known'];
}

/** Requests the evaluation of a query on the thread's partition. */
export interface Request {
  readonly id: number;
  readonly query: Query;
  readonly limits: Partial<QueryLimits> | undefined;
  readonly sliceRows: number | undefined;
  /** Shared by all threads; its single element is set when the query is aborted. */
  readonly aborted: Int32Array;
}

/** Replies of a thread: zero or more progress reports, then the final reply. */
export type Reply =
  | { readonly id: number; readonly kind: 'progress'; readonly done: number }
  | { readonly id: number; readonly kind: 'result'; readonly words: Uint32Array; readonly count: number }
  | { readonly id: number; readonly kind: 'aborted' }
  | { readonly id: number; readonly kind: 'rejected'; readonly error: SerializedQueryError }
  | { readonly id: number; readonly kind: 'failed'; readonly error: unknown };

/** A `QueryError` as a structured-clonable object. */
export interface SerializedQueryError {
  readonly code: QueryErrorCode;
  readonly problems: readonly QueryProblem[];
  readonly problemCount: number;
}
