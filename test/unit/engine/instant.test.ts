/** Parsing and formatting of instants as RFC 3339 dates and date-times (L17). */
import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from '../../../src/engine/claims/instant.js';

const VALID: readonly [text: string, utc: string][] = [
  ['2026-06-01', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T12:30:45Z', '2026-06-01T12:30:45.000Z'],
  ['2026-06-01t12:30:45z', '2026-06-01T12:30:45.000Z'],
  ['2026-06-01T12:30:45+02:00', '2026-06-01T10:30:45.000Z'],
  ['2026-06-01T00:30:00+01:00', '2026-05-31T23:30:00.000Z'],
  ['2026-06-01T12:30:45-00:00', '2026-06-01T12:30:45.000Z'],
  ['2026-06-01T12:30:45+23:59', '2026-05-31T12:31:45.000Z'],
  ['2026-06-01T12:30:45.1Z', '2026-06-01T12:30:45.100Z'],
  ['2026-06-01T12:30:45.1239999Z', '2026-06-01T12:30:45.123Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  ['0099-12-31', '0099-12-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T23:59:60.9Z', '2017-01-01T00:00:00.000Z'],
  ['2017-01-01T01:59:60+02:00', '2017-01-01T00:00:00.000Z'],
];

const INVALID = [
  '',
  '2026',
  '2026-06',
  '2026-6-1',
  '2026-13-01',
  '2026-00-10',
  '2026-06-31',
  '2026-02-29',
  '1900-02-29',
  '2026-06-00',
  '2026-06-01T12:30Z',
  '2026-06-01T12:30:45',
  '2026-06-01 12:30:45Z',
  '2026-06-01T24:00:00Z',
  '2026-06-01T12:60:00Z',
  '2026-06-01T12:30:61Z',
  '2026-06-01T12:30:60Z',
  '2026-06-15T23:59:60Z',
  '2026-06-01T12:30:45+24:00',
  '2026-06-01T12:30:45+02:60',
  '2026-06-01T12:30:45+0200',
  '2026-06-01T12:30:45.Z',
  '+2026-06-01',
  '12026-06-01',
  ' 2026-06-01',
  '2026-06-01\n',
  '２０２６-06-01',
  '2017-01-01T00:59:60Z',
  '2017-01-01T00:00:60Z',
  '2026-02-30T00:00:00Z',
  '2024-04-31',
  'tomorrow',
  '1780000000000',
];

describe('parseInstant', () => {
  // L17
  it.each(VALID)('parses %s as %s', (text, utc) => {
    expect(formatInstant(parseInstant(text) ?? Number.NaN)).toBe(utc);
  });

  // L17
  it.each(INVALID)('returns undefined for %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it.each([1_780_000_000_000, null, undefined])(
    'returns undefined for %s, which is not a string',
    (value) => {
      expect(parseInstant(value as never)).toBeUndefined();
    },
  );
});

it('formatInstant rejects an instant beyond the year 9999', () => {
  expect(() => formatInstant(8.64e15)).toThrow(
    'an instant must be in the years 0000 to 9999 (got 8640000000000000)',
  );
});

describe('formatInstant', () => {
  it('agrees with `Date` on every day of a calendar cycle, and at both ends of every month from 0000 to 9999', () => {
    const [first, last] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
    const wrong: number[] = [];
    const compare = (at: number): void => {
      if (formatInstant(at) !== new Date(at).toISOString()) wrong.push(at);
    };
    const [cycle, afterCycle] = [Date.parse('1600-01-01'), Date.parse('2000-01-01')];
    // Steps of slightly less than a day cover all hours, minutes and milliseconds.
    for (let at = cycle; at < afterCycle; at += 86_400_000 - 61_001) compare(at);
    for (let month = 0; month < 12 * 10_000; month += 1) {
      const monthStart = new Date(first).setUTCFullYear(0, month, 1);
      compare(monthStart);
      if (monthStart > first) compare(monthStart - 1);
    }
    expect([wrong.slice(0, 3), formatInstant(first), formatInstant(last)]).toEqual([
      [],
      '0000-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
    expect(formatInstant(-0.5)).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -62_167_219_200_001, 253_402_300_800_000])(
    'rejects %d, which RFC 3339 cannot represent',
    (at) => {
      expect(() => formatInstant(at)).toThrow(RangeError);
    },
  );
});
