/** Values, instants and outcomes in words, the same in every view. */
import type { JsonValue } from '../../../engine/index.js';
import type { Note } from '../model/ask.js';
import type { Outcome } from '../model/policy-tree.js';

const MAX_VALUE_CODE_UNITS = 160;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  passed: 'passes',
  failed: 'fails',
  undefined: 'not defined, so it fails',
};

/** A value as JSON, shortened where it is long. */
export function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_CODE_UNITS ? text : `${text.slice(0, MAX_VALUE_CODE_UNITS - 1)}…`;
}

/** The day of an instant, in UTC. @param at - Epoch milliseconds. */
export function dayOf(at: number): string {
  return DAY.format(at);
}

/** An RFC 3339 instant for people, in UTC. */
export function momentOf(instant: string): string {
  return `${MOMENT.format(Date.parse(instant))} UTC`;
}

/** A name with a large first letter. */
export function nameOf(person: string): string {
  return person.charAt(0).toLocaleUpperCase('en') + person.slice(1);
}

/** The line of a text at which a note begins, from 1. */
export function lineOf(text: string, { span }: Note): number {
  return text.slice(0, span.from).split('\n').length;
}

/** `1 check`, `2 checks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
