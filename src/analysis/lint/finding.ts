/** What is told of a query that is right, but hardly what its author meant. */
import type { PolicyItem } from '../../engine/index.js';

/** The kinds of findings, each with what it says. */
export const FINDING_CODES = [
  'always_true',
  'always_false',
  'redundant_item',
  'shadowed_alternative',
  'negated_undefined',
  'plain_pattern',
  'type_clash',
  'duplicate_check',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** One finding. */
export interface Finding {
  readonly code: FindingCode;
  /** JSON Pointer into the canonical query, which `lint` returns as well. */
  readonly pointer: string;
  /** Why, and what would be right. */
  readonly message: string;
  /** The whole query, mended. */
  readonly mended: PolicyItem;
  /** What is shown of the mended query: that it passes on the same claims, or on some of them. */
  readonly relation: 'equivalent' | 'stricter';
}
