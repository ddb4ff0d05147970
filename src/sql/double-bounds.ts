/** The exact interval of decimal numbers that round to a double, and comparisons with it. */
import type { Ordering } from './dialects/dialect.js';

/** An interval of decimal numbers without exponent, which includes its bounds where `closed`. */
export interface DecimalBounds {
  readonly low: string;
  readonly high: string;
  readonly closed: boolean;
}

const SIGNIFICAND_BITS = 52n;
const SMALLEST_EXPONENT = -1_074;

/**
 * Returns the interval of the numbers that round to a double (to nearest, ties to even), so that a database with decimals compares
 * as the engine does.
 *
 * @param double - Finite.
 */
export function boundsOf(double: number): DecimalBounds {
  const { significand, exponent, negative } = decompose(double);
  // The bounds are halfway to the neighboring doubles, in quarters of a unit of the significand. At a power of two, the next smaller double is
  // only half a unit away.
  const atPowerOfTwo = significand === 1n << SIGNIFICAND_BITS && exponent > SMALLEST_EXPONENT;
  const below = atPowerOfTwo ? 4n * significand - 1n : 4n * significand - 2n;
  const near = decimalOf(below, exponent - 2);
  const far = decimalOf(4n * significand + 2n, exponent - 2);
  const closed = significand % 2n === 0n;
  if (significand === 0n) return { low: `-${far}`, high: far, closed };
  return negative ? { low: `-${far}`, high: `-${near}`, closed } : { low: near, high: far, closed };
}

/**
 * Returns the comparison of a decimal that equals the comparison of the double to which it rounds: for databases that
 * keep decimals, while the engine compares doubles (L16).
 */
export function decimalComparison(
  ordering: Ordering,
  operand: number,
): { readonly ordering: Ordering; readonly bound: string } {
  const { low, high, closed } = boundsOf(operand);
  switch (ordering) {
    case '>':
      return { ordering: closed ? '>' : '>=', bound: high };
    case '>=':
      return { ordering: closed ? '>=' : '>', bound: low };
    case '<':
      return { ordering: closed ? '<' : '<=', bound: low };
    case '<=':
      return { ordering: closed ? '<=' : '<', bound: high };
  }
}

/** Decomposes a finite double into significand × 2^exponent. */
function decompose(double: number): { significand: bigint; exponent: number; negative: boolean } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const fraction = bits & ((1n << SIGNIFICAND_BITS) - 1n);
  const biased = Number((bits >> SIGNIFICAND_BITS) & 0x7ffn);
  return {
    significand: biased === 0 ? fraction : fraction | (1n << SIGNIFICAND_BITS),
    exponent: Math.max(biased, 1) - 1 + SMALLEST_EXPONENT,
    negative: bits >> 63n === 1n,
  };
}

/** Formats whole × 2^exponent as a decimal. */
function decimalOf(whole: bigint, exponent: number): string {
  if (exponent >= 0) return String(whole << BigInt(exponent));
  const places = -exponent;
  // 2^-n is 5^n / 10^n.
  const digits = String(whole * 5n ** BigInt(places)).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return text.replace(/\.?0+$/, '');
}
