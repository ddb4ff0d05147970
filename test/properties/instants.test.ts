/** Checks that the engine parses and formats dates and date-times as the reference does. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatInstant, parseInstant } from '../../src/index.js';
import { instantText, malformedInstant } from '../../src/testing/index.js';
import { readInstant } from '../../src/testing/reference-values.js';
import { holdsForAll } from './law.js';

/** Numbers padded to a number of digits, including values out of range for a date. */
function digits(count: number, max: number): fc.Arbitrary<string> {
  return fc.nat({ max }).map((number) => String(number).padStart(count, '0'));
}

const DATE = fc.tuple(digits(4, 9_999), digits(2, 13), digits(2, 32)).map((parts) => parts.join('-'));
const TIME = fc.tuple(digits(2, 24), digits(2, 60), digits(2, 61)).map((parts) => parts.join(':'));
const OFFSET = fc.oneof(
  fc.constantFrom('Z', 'z', ''),
  fc.tuple(fc.constantFrom('+', '-'), digits(2, 24), digits(2, 60)).map(([sign, h, m]) => `${sign}${h}:${m}`),
);
const FRACTION = fc.oneof(
  fc.constant(''),
  digits(1, 1_000_000).map((number) => `.${number}`),
);
const SEPARATOR = fc.constantFrom('T', 'T', 'T', 't', ' ', '');
const DATE_TIME = fc.tuple(DATE, SEPARATOR, TIME, FRACTION, OFFSET).map((parts) => parts.join(''));

// L17, S175
it('the engine and the reference parse a string to the same instant, or both reject it', () => {
  let instants = 0;
  holdsForAll(fc.oneof(DATE, DATE_TIME, instantText(), malformedInstant()), (text) => {
    expect(parseInstant(text)).toBe(readInstant(text));
    if (parseInstant(text) !== undefined) instants += 1;
  });
  expect(instants).toBeGreaterThan(500);
});

// L17, S175
it('a malformed date is rejected', () => {
  holdsForAll(malformedInstant(), (text) => expect(parseInstant(text)).toBeUndefined());
});

// L17, S175
it('parsing a formatted instant gives the same millisecond', () => {
  const [first, last] = [parseInstant('0000-01-01'), parseInstant('9999-12-31T23:59:59.999Z')];
  holdsForAll(fc.integer({ min: first ?? 0, max: last ?? 0 }), (at) => {
    expect(parseInstant(formatInstant(at))).toBe(at);
  });
});
