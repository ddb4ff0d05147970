/** Encodes the state of the playground in a URL fragment, which browsers do not send to servers. */

/** The shared state. */
export interface SharedState {
  readonly query: string;
  /** A sample person, or the user's own credentials. */
  readonly subject: { readonly person: string } | { readonly credentials: string };
}

const PREFIX = '#v1.';

/** Maximum length; longer URLs are truncated by some programs. */
export const MAX_FRAGMENT_CODE_UNITS = 60_000;

/** Encodes the fragment, including `#`. Never throws. */
export function toFragment({ query, subject }: SharedState): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ query, ...subject }));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return PREFIX + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Whether a fragment is a share link, valid or not. */
export function isShareLink(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** Decodes a fragment; `undefined` if it is invalid. Never throws. */
export function readFragment(fragment: string): SharedState | undefined {
  if (!fragment.startsWith(PREFIX) || fragment.length > MAX_FRAGMENT_CODE_UNITS) return undefined;
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    if (typeof read !== 'object' || read === null) return undefined;
    const { query, person, credentials } = read as Readonly<Record<string, unknown>>;
    if (typeof query !== 'string') return undefined;
    if (typeof person === 'string') return { query, subject: { person } };
    return typeof credentials === 'string' ? { query, subject: { credentials } } : undefined;
  } catch {
    return undefined;
  }
}
