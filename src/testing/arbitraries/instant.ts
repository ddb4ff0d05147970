/** Instants and their strings: offsets, fractions, leap seconds, the ends of the calendar, and malformed dates (L17). */
import * as fc from 'fast-check';
import { readInstant } from '../reference-values.js';

const MINUTE_MS = 60_000;

/** 2026-06-01T00:00:00Z, the instant of most scenarios. */
export const USUAL_INSTANT = 1_780_272_000_000;

/** Bounds of the generated instants of evaluation, at least a year inside the range of RFC 3339, so that instants near them can be written as well. */
const EARLIEST = Date.parse('0002-01-01T00:00:00Z');
const LATEST = Date.parse('9998-01-01T00:00:00Z');

const DAYS = [
  '2026-06-01',
  '2026-05-31',
  '2016-12-31',
  '2024-02-29',
  '2000-02-29',
  '1970-01-01',
  '0000-01-01',
  '0000-02-29',
  '9999-12-31',
];
const TIMES = ['00:00:00', '23:59:59', '23:59:60', '12:30:00', '18:29:60', '05:59:60'];
const FRACTIONS = ['', '.0', '.5', '.001', '.0009', '.999999', '.12'];
const OFFSETS = ['Z', 'z', '+00:00', '-00:00', '+02:00', '-05:30', '+23:59', '-23:59', '-18:00'];

/** Malformed dates and date-times: days that do not exist, times out of range, misplaced leap seconds, no offset, other separators, blanks. */
const MALFORMED_INSTANTS = [
  '2026-02-29',
  '1900-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-06-31',
  '2026-6-1',
  '2026-06-01T24:00:00Z',
  '2026-06-01T00:60:00Z',
  '2026-06-01T00:00:00',
  '2026-06-01 00:00:00Z',
  '2026-06-01T00:00:00+24:00',
  '2026-06-01T00:00:00+02',
  '2026-06-01T00:00:61Z',
  '2026-06-15T23:59:60Z',
  '2026-06-30T22:59:60Z',
  '2026-06-30T23:58:60Z',
  '2026-06-30T23:59:60-01:00',
  '2026-06-01T00:00:00.Z',
  '+02026-06-01',
  ' 2026-06-01',
  '2026-06-01\n',
  '２０２６-06-01',
];

/** Instants of scenarios, epoch milliseconds. Mostly a single one, so that values that depend on it coincide. */
export function instant(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(USUAL_INSTANT) },
    { weight: 1, arbitrary: fc.integer({ min: EARLIEST, max: LATEST }) },
  );
}

/** RFC 3339 dates and date-times. */
export function instantText(): fc.Arbitrary<string> {
  const parts = [DAYS, TIMES, FRACTIONS, OFFSETS].map((texts) => fc.constantFrom(...texts));
  return fc.tuple(fc.boolean(), ...parts).map(([isDate, day = '', time = '', fraction = '', offset = '']) => {
    const text = `${day}T${time}${fraction}${offset}`;
    return isDate || readInstant(text) === undefined ? day : text;
  });
}

/** Strings that resemble dates or date-times but are invalid. */
export function malformedInstant(): fc.Arbitrary<string> {
  return fc.constantFrom(...MALFORMED_INSTANTS);
}

/** Returns one of the strings of {@link malformedInstant}, chosen by `variant`. */
export function malformedInstantAt(variant: number): string {
  return MALFORMED_INSTANTS[variant % MALFORMED_INSTANTS.length] as string;
}

/**
 * Returns another string for the instant of a string, or for an instant near it, chosen by `variant`. Returns the
 * string itself if it is not an instant, or if the new instant is outside the range of RFC 3339.
 */
export function instantTextNear(text: string, variant: number): string {
  const at = readInstant(text);
  if (at === undefined) return text;
  const shift = [0, 1, -1, 1_000, -86_400_000][variant % 5] as number;
  const offsetMinutes = [0, 120, -330, 1_439][variant % 4] as number;
  // Removes one or two trailing zeros of the fraction, so that its length varies.
  return writeWithOffset(at + shift, offsetMinutes)?.replace(/0{1,2}(?=[Z+-]\d*:?\d*$)/, '') ?? text;
}

function writeWithOffset(at: number, offsetMinutes: number): string | undefined {
  const local = new Date(at + offsetMinutes * MINUTE_MS).toISOString();
  // RFC 3339 cannot represent years before 0000 and after 9999.
  if (local.length !== 24) return undefined;
  if (offsetMinutes === 0) return local;
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const offset = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return `${local.slice(0, -1)}${offsetMinutes < 0 ? '-' : '+'}${offset}`;
}
