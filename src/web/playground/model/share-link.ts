/** Encodes the state of the playground: in a URL fragment, which browsers do not send to servers, and as JSON. */
import { omitUndefined } from '../../../util/omit-undefined.js';
import { withLineFeeds } from './line-breaks.js';

/** The state that a link shares and that the browser keeps. */
export interface SharedState {
  readonly query: string;
  /** A sample person, or the user's own credentials. */
  readonly subject: { readonly person: string } | { readonly credentials: string };
  /** The people who should pass, and those who should not, by name. */
  readonly expected?: Readonly<Record<string, boolean>>;
  /** The policy to compare with. */
  readonly other?: string;
  /** The catalogue, as JSON. Default: the default catalogue. */
  readonly catalogue?: string;
}

const PREFIX = '#v1.';

/** Maximum length; longer URLs are truncated by some programs. */
const MAX_FRAGMENT_CODE_UNITS = 60_000;

/** Encodes the fragment, including `#`. Never throws. */
export function toFragment(state: SharedState): string {
  const bytes = new TextEncoder().encode(toJson(state));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return PREFIX + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** A fragment, and whether the catalogue was left out to shorten it. */
export interface FittingFragment {
  readonly fragment: string;
  readonly withoutCatalogue: boolean;
}

/** Encodes a fragment of at most the maximum length, if necessary without the catalogue; `undefined` if it is still too long. */
export function toFittingFragment(state: SharedState): FittingFragment | undefined {
  const { catalogue: _catalogue, ...rest } = state;
  return [state, rest]
    .map((one, index) => ({ fragment: toFragment(one), withoutCatalogue: index === 1 }))
    .find(({ fragment }) => fragment.length <= MAX_FRAGMENT_CODE_UNITS);
}

/** Whether the link to a work, from which its catalogue was left out, contains this state. Both must have been decoded. */
export function isShortenedLink(state: SharedState, work: SharedState): boolean {
  const fitting = toFittingFragment(work);
  return fitting?.withoutCatalogue === true && fitting.fragment === toFragment(state);
}

/** Whether a fragment is a share link, valid or not. */
export function isShareLink(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** Decodes a fragment; `undefined` if it is invalid. Never throws. */
export function readFragment(fragment: string): SharedState | undefined {
  if (!isShareLink(fragment) || fragment.length > MAX_FRAGMENT_CODE_UNITS) return undefined;
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Encodes the state as JSON. Never throws. */
export function toJson({ query, subject, ...rest }: SharedState): string {
  return JSON.stringify({ query, ...subject, ...rest });
}

/** Decodes the state from JSON; `undefined` if it is invalid. Never throws. */
export function readJson(text: string): SharedState | undefined {
  try {
    const read = JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' ? withLineFeeds(value) : value,
    ) as unknown;
    if (typeof read !== 'object' || read === null) return undefined;
    const { query, person, credentials, expected, other, catalogue } = read as Readonly<
      Record<string, unknown>
    >;
    if (typeof query !== 'string') return undefined;
    if (!isOptionalString(other) || !isOptionalString(catalogue) || !isExpected(expected)) return undefined;
    const rest = omitUndefined({ expected, other, catalogue });
    if (typeof person === 'string') return { query, subject: { person }, ...rest };
    return typeof credentials === 'string' ? { query, subject: { credentials }, ...rest } : undefined;
  } catch {
    return undefined;
  }
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isExpected(value: unknown): value is SharedState['expected'] {
  if (value === undefined) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((passes) => typeof passes === 'boolean')
  );
}
