/** What a check may ask of a claim's value, wherever a layout keeps it (L12–L18). */
import type { JsonValue } from '../engine/index.js';
import type { Fragment } from './fragment.js';

export type Ordering = '>' | '>=' | '<' | '<=';

/**
 * A claim's value in a statement. Each condition is true exactly where the engine's check passes; elsewhere it is false
 * or unknown.
 */
export interface SqlValue {
  /** False where it is undefined, never unknown. */
  readonly isDefined: Fragment;
  equals(operand: JsonValue): Fragment;
  isAmong(operands: readonly JsonValue[]): Fragment;
  contains(operand: JsonValue): Fragment;
  orders(ordering: Ordering, operand: number): Fragment;
  /** Whether it is a date or a date-time that lies so to an instant, epoch milliseconds. */
  ordersInTime(ordering: Ordering, instant: number): Fragment;
  startsWith(beginning: string): Fragment;
  matches(pattern: string): Fragment;
}
