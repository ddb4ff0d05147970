/** English descriptions, read back into queries. `npm run check -- describe-round-trip` compares more of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeQuery, renderDescription } from '../../../src/describe/index.js';
import { QUERIES } from '../../unit/describe/queries.js';
import { compareRoundTrip, describedQuery } from './round-trip.js';

describe('an English description', () => {
  it('is read back as an equivalent query, for random queries', () => {
    fc.assert(
      fc.property(describedQuery(), (query) => compareRoundTrip(query) !== undefined),
      { seed: 20_261_126, numRuns: 300 },
    );
  });

  it.each(Object.entries(QUERIES))('is read back as an equivalent query: %s', (_name, query) => {
    expect(() => compareRoundTrip(query)).not.toThrow();
  });

  it('distinguishes numbers from strings and countries from their names, and escapes quotation marks and bidirectional controls', () => {
    const text = (claim: string, value: unknown) =>
      renderDescription({
        ...describeQuery({ check: { claim, operator: '==', value } }),
        notLearnedText: '',
      });
    expect([
      text('identity.age', 18),
      text('identity.age', '18'),
      text('identity.nationality', 'PT'),
      text('identity.nationality', 'Portugal'),
      text('identity.email', 'a” or “b'),
      text('identity.email', 'a\u202eb'),
    ]).toEqual([
      'Whether your age is 18.',
      'Whether your age is “18”.',
      'Whether you are a national of Portugal.',
      'Whether you are a national of “Portugal”.',
      'Whether your e-mail address is "a” or “b".',
      'Whether your e-mail address is "a\\u202eb".',
    ]);
  });

  it('quotes a string that could be taken for the end of a quotation as JSON, and one with an apostrophe as it is', () => {
    const text = (value: string) =>
      describeQuery({ check: { claim: 'identity.email', operator: '==', value } }).learned.text;
    const ends = ['‘‘', '’’', "''", '’‘', '‚', '〝', '〞', '〟', '＂'].map((mark) => `a${mark} or b`);
    for (const value of [...ends, '\u0338a'])
      expect(text(value)).toBe(`Whether your e-mail address is ${JSON.stringify(value)}.`);
    for (const value of ["d'Or", 'd’Or', 'e\u0301'])
      expect(text(value)).toBe(`Whether your e-mail address is “${value}”.`);
  });
});
