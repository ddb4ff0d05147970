/** Binds a conjunction to columns: kernels, in the order in which a block runs them (V14). */
import type { JsonValue } from '../claims/json-value.js';
import type { ClaimColumns } from './claim-columns.js';
import { type CodedColumn, type Column, type NumberColumn, toValueReader } from './column.js';
import type { Conjunction, Literal } from './conjunction.js';
import {
  groupKernel,
  type Kernel,
  type Lookup,
  lookupKernel,
  MAX_JOINED_LOOKUPS,
  rangeKernel,
  undefinedKernel,
  valueKernel,
} from './kernels.js';
import { toNumberRange } from './number-range.js';

/** Decides on a subject's value; `undefined` where the claim is not defined. */
type Holds = (value: JsonValue | undefined) => boolean;

/**
 * The kernels that, one after the other, leave the verdicts of the conjunction: those that need no branch first, those
 * that ask about one value after the other last. Checks neither throw nor remember, so their order does not show.
 */
export function toKernel({ literals, groups, negated }: Conjunction, columns: ClaimColumns): Kernel {
  const lookups: Lookup[] = [];
  const ranges: Kernel[] = [];
  const perValue: Kernel[] = [];
  for (const literal of literals) {
    const column = columns.find(literal.check.claim);
    if (column === undefined) {
      ranges.push(undefinedKernel(literal.negated));
    } else if (column.layout === 'coded') {
      lookups.push(toLookup(literal, column));
    } else {
      const range = column.layout === 'numbers' ? toRangeKernel(literal, column) : undefined;
      if (range !== undefined) ranges.push(range);
      else perValue.push(toValueKernel(literal, column));
    }
  }
  const inGroups = groups.map((group) => toKernel(group, columns));
  return groupKernel([...joined(lookups), ...ranges, ...inGroups, ...perValue], negated);
}

function joined(lookups: readonly Lookup[]): readonly Kernel[] {
  const kernels: Kernel[] = [];
  for (let first = 0; first < lookups.length; first += MAX_JOINED_LOOKUPS) {
    kernels.push(lookupKernel(lookups.slice(first, first + MAX_JOINED_LOOKUPS)));
  }
  return kernels;
}

/** Asks about each entry once. */
function toLookup(literal: Literal, { codes, entries }: CodedColumn): Lookup {
  const holds = toHolds(literal);
  return { codes, holds: Uint8Array.from(entries, (entry) => Number(holds(entry))) };
}

function toRangeKernel(literal: Literal, { values, nulls }: NumberColumn): Kernel | undefined {
  const { check, negated } = literal;
  // The loop takes a `null` for a claim that is not defined, which is right where neither passes.
  if (nulls !== undefined && check.test(null)) return undefined;
  const range = toNumberRange(check);
  return range && rangeKernel(values, range, negated);
}

function toValueKernel(literal: Literal, column: Column): Kernel {
  return valueKernel(toValueReader(column), toHolds(literal));
}

/** A check on an undefined claim fails (L14), so that what it does not say holds. */
function toHolds({ check, negated }: Literal): Holds {
  const { test } = check;
  return (value) => (value !== undefined && test(value)) !== negated;
}
