/** What the main thread and the threads that hold subjects tell each other. */
import type { Column, Query, QueryErrorCode, QueryLimits, QueryProblem } from '../engine/index.js';

/** The subjects of one thread: some of the rows of columns, in their order. */
export interface Partition {
  readonly size: number;
  readonly columns: readonly (readonly [path: string, column: Column])[];
}

/** Asks a thread about all of its subjects. */
export interface Request {
  readonly id: number;
  readonly query: Query;
  readonly limits: Partial<QueryLimits> | undefined;
  readonly sliceRows: number | undefined;
  /** Shared by all threads that are asked; its one element is no longer 0 once the answer is not wanted any more. */
  readonly aborted: Int32Array;
}

/** What a thread tells: how far it is, any number of times, and then how it ended. */
export type Reply =
  | { readonly id: number; readonly kind: 'progress'; readonly done: number }
  | { readonly id: number; readonly kind: 'answer'; readonly words: Uint32Array; readonly count: number }
  | { readonly id: number; readonly kind: 'interrupted' }
  | { readonly id: number; readonly kind: 'refused'; readonly error: SerializedQueryError }
  | { readonly id: number; readonly kind: 'failed'; readonly error: unknown };

/** A `QueryError` without its class, which no message carries. */
export interface SerializedQueryError {
  readonly code: QueryErrorCode;
  readonly problems: readonly QueryProblem[];
  readonly problemCount: number;
}
