/** Shared components and formatters. */

import type { ComponentChildren } from 'preact';
import type { Outcome } from '../../../analysis/policy-tree.js';
import type { Credential, JsonValue } from '../../../engine/index.js';
import type { Note } from '../model/evaluate.js';

const MAX_VALUE_CODE_UNITS = 160;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  passed: 'passes',
  failed: 'fails',
  undefined: 'not defined, so it fails',
};

/** Formats a value as JSON, truncated if it is long. */
export function formatValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_CODE_UNITS ? text : `${text.slice(0, MAX_VALUE_CODE_UNITS - 1)}…`;
}

/** Formats the day of an instant, in UTC. @param at - Epoch milliseconds. */
export function formatDay(at: number): string {
  return DAY.format(at);
}

/** Formats an RFC 3339 instant, in UTC. */
export function formatDateTime(instant: string): string {
  return `${MOMENT.format(Date.parse(instant))} UTC`;
}

/** Returns the display name of a person: the name with a capital letter. */
export function displayNameOf(person: string): string {
  return person.charAt(0).toLocaleUpperCase('en') + person.slice(1);
}

/** Returns the line number of a note, starting at 1. */
export function lineOf(text: string, { span }: Note): number {
  return text.slice(0, span.from).split('\n').length;
}

/** Formats a count: `1 check`, `2 checks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Code in backticks. A backtick before a letter, a digit, an underscore or another backtick is part of the code. */
const CODE = /`(.*?)`(?![\w`])/s;

/** Renders a message, with text in backticks as code. */
export function Message({ text }: { readonly text: string }) {
  // Pieces at odd indexes were in backticks.
  return (
    <bdi>
      {text.split(CODE).map((piece, place) => (place % 2 === 0 ? piece : <code key={place}>{piece}</code>))}
    </bdi>
  );
}

/** Lists claims with their values. */
export function ClaimList({ claims }: { readonly claims: Credential['claims'] }) {
  return (
    <dl class="claims">
      {Object.entries(claims).map(([path, value]) => (
        <div key={path}>
          <dt>
            <code>
              <bdi>{path}</bdi>
            </code>
          </dt>
          <dd>
            <code>
              <bdi>{formatValue(value)}</bdi>
            </code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const STROKES: Readonly<Record<Outcome, string>> = {
  passed: 'm5.5 10.4 3 3 6-6.6',
  failed: 'm6.4 6.4 7.2 7.2m0-7.2-7.2 7.2',
  undefined: 'M6 10h8',
};

interface MarkProps {
  readonly outcome: Outcome;
  readonly size?: number;
  /** Whether to omit the text for screen readers, for marks next to a text that says the same. */
  readonly isDecorative?: boolean;
}

/** The mark of an outcome, with a text for screen readers. */
export function Mark({ outcome, size = 20, isDecorative = false }: MarkProps) {
  return (
    <span class="mark" data-outcome={outcome}>
      <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false">
        <circle cx="10" cy="10" r="10" class="mark-ground" />
        <path
          d={STROKES[outcome]}
          class="mark-stroke"
          fill="none"
          stroke-width="2.2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      {isDecorative ? undefined : <span class="visually-hidden">{OUTCOME_WORDS[outcome]}: </span>}
    </span>
  );
}

/** Renders a list without bullets. */
export function PlainList(props: {
  readonly class: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role of a list without bullets
    <ul class={props.class} role="list" aria-label={props.label}>
      {props.children}
    </ul>
  );
}
