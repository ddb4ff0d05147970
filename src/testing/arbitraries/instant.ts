/** Instants and their texts: offsets, fractions, leap seconds, the ends of the calendar, and what is nearly a date (L17). */
import * as fc from 'fast-check';
import { readInstant } from '../reference-values.js';

const MINUTE_MS = 60_000;

/** 2026-06-01T00:00:00Z, the instant around which most of a scenario happens. */
export const USUAL_INSTANT = 1_780_272_000_000;

/** The first and last instants of evaluation: what happens a year before and after them has a text in RFC 3339 too. */
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

/** Nearly dates: days that do not exist, hours past the last, no offset, other separators, blanks. */
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

/** Epoch milliseconds at which a scenario happens: mostly one instant, so that what depends on it meets. */
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

/** Texts that a hasty reader takes for dates. */
export function malformedInstant(): fc.Arbitrary<string> {
  return fc.constantFrom(...MALFORMED_INSTANTS);
}

/** One of the texts that a hasty reader takes for dates; `how` chooses which. */
export function malformedInstantAt(variant: number): string {
  return MALFORMED_INSTANTS[variant % MALFORMED_INSTANTS.length] as string;
}

/** Another text for the instant of a text, or for one beside it; `how` chooses which. The text itself where it names none. */
export function instantTextNear(text: string, variant: number): string {
  const at = readInstant(text);
  if (at === undefined) return text;
  const shift = [0, 1, -1, 1_000, -86_400_000][variant % 5] as number;
  const offsetMinutes = [0, 120, -330, 1_439][variant % 4] as number;
  return writeWithOffset(at + shift, offsetMinutes)?.replace(/0{1,2}(?=[Z+-]\d*:?\d*$)/, '') ?? text;
}

function writeWithOffset(at: number, offsetMinutes: number): string | undefined {
  const local = new Date(at + offsetMinutes * MINUTE_MS).toISOString();
  // Years before 0000 and after 9999 have no text.
  if (local.length !== 24) return undefined;
  if (offsetMinutes === 0) return local;
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const offset = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return `${local.slice(0, -1)}${offsetMinutes < 0 ? '-' : '+'}${offset}`;
}
