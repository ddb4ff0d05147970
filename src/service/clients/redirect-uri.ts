/** Redirect URIs: compared as strings, so that no parser's reading of one can matter (S46–S49). */

/** An IP literal of this machine, which a native application listens on with a port of the moment (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/;

/** Whether a request's redirect URI is a registered one; on loopback IP literals the port may differ. Never throws. */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.some((candidate) => differInPortOnly(candidate, uri));
}

/** Why a redirect URI cannot be registered; `undefined` where it can. Never throws (S49). */
export function redirectUriFault(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'it has no blanks, control characters or characters beyond ASCII';
  if (uri.includes('#')) return 'it has no fragment';
  if (uri.includes('*')) return 'it has no wildcard';
  const authority = /^(https?):\/\/([^/?]*)/.exec(uri);
  if (authority === null) return 'it is an absolute https URL, or http on a loopback address';
  const [, scheme, host = ''] = authority;
  if (host === '' || host.includes('@')) return 'it names a host, and no user';
  const loopback = LOOPBACK.test(uri) || /^localhost(?::\d{1,5})?$/.test(host);
  return scheme === 'http' && !loopback ? 'plain http is for loopback addresses only' : undefined;
}

function differInPortOnly(registered: string, uri: string): boolean {
  return LOOPBACK.test(registered) && LOOPBACK.test(uri) && withoutPort(registered) === withoutPort(uri);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, (origin) => origin.replace(/:\d{1,5}$/, ''));
}
