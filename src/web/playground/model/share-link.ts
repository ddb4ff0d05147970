/** What somebody plays with, as the fragment of an address: browsers keep that to themselves, so it reaches no server. */

/** Everything that an address brings back. */
export interface SharedState {
  readonly query: string;
  /** One of the sandbox's people, or credentials of one's own. */
  readonly about: { readonly person: string } | { readonly credentials: string };
}

const PREFIX = '#v1.';

/** Longer ones would not survive the programs that addresses pass through. */
export const MAX_FRAGMENT_CODE_UNITS = 60_000;

/** The fragment, `#` included. Never throws. */
export function toFragment({ query, about }: SharedState): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ query, ...about }));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return PREFIX + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Whether a fragment was meant to be one of ours, whole or not. */
export function isFragment(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** What a fragment brings back; `undefined` where it is none of ours. Never throws. */
export function readFragment(fragment: string): SharedState | undefined {
  if (!fragment.startsWith(PREFIX) || fragment.length > MAX_FRAGMENT_CODE_UNITS) return undefined;
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    if (typeof read !== 'object' || read === null) return undefined;
    const { query, person, credentials } = read as Readonly<Record<string, unknown>>;
    if (typeof query !== 'string') return undefined;
    if (typeof person === 'string') return { query, about: { person } };
    return typeof credentials === 'string' ? { query, about: { credentials } } : undefined;
  } catch {
    return undefined;
  }
}
