/** Checks that the decimal interval of a double contains exactly the numbers that JSON parses as that double (L16). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextNumber } from '../../../src/engine/claims/json-value.js';
import { boundsOf } from '../../../src/sql/double-bounds.js';

const SEED = 20_261_126;
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Returns the decimal with nine more digits, and with its magnitude increased (`outward`) or decreased by one unit of the last digit. */
function neighborOf(decimal: string, outward: boolean): string {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = BigInt(`${whole}${fraction}${'0'.repeat(9)}`) + (outward ? 1n : -1n);
  const text = String(digits).padStart(fraction.length + 10, '0');
  const places = fraction.length + 9;
  return `${decimal.startsWith('-') ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`;
}

// L16
it('the interval of a double contains the numbers just inside its bounds, none just outside, and its bounds exactly if the significand is even', () => {
  fc.assert(
    fc.property(finite, (double) => {
      const { low, high, closed } = boundsOf(double);
      const same = double + 0;
      expect(Number(high) === same).toBe(closed);
      expect(Number(low) === same).toBe(closed);
      expect(Number(neighborOf(high, high.startsWith('-'))) + 0).toBe(same);
      expect(Number(neighborOf(low, !low.startsWith('-'))) + 0).toBe(same);
      expect(Number(neighborOf(high, !high.startsWith('-')))).not.toBe(same);
      expect(Number(neighborOf(low, low.startsWith('-')))).not.toBe(same);
    }),
    {
      seed: SEED,
      examples: [[0], [5e-324], [1], [-1], [2 ** 53], [Number.MAX_VALUE], [2.2250738585072014e-308]],
    },
  );
});

// L16
it('the next number of a double is the adjacent double, whose interval begins where that of the double ends', () => {
  fc.assert(
    fc.property(finite, (double) => {
      const next = nextNumber(double);
      expect(next).toBeGreaterThan(double);
      expect(Number.isFinite(next)).toBe(double !== Number.MAX_VALUE);
      const middle = double / 2 + next / 2;
      expect([double + 0, next, Number.POSITIVE_INFINITY]).toContain(middle + 0);
      if (Number.isFinite(next)) expect(boundsOf(double).high).toBe(boundsOf(next).low);
    }),
    { seed: SEED, examples: [[0], [-0], [-5e-324], [Number.MAX_VALUE], [-Number.MAX_VALUE], [1]] },
  );
});
