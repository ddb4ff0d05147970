/** What a request's target names: a path, and in the absolute form, which proxies send, a host as well (RFC 9112 §3.2, S7). */

export interface RequestTarget {
  /** Host and port of the absolute form; absent in the usual one. */
  readonly authority?: string;
  /** As it was sent, without the query, so that no two spellings name one endpoint. */
  readonly path: string;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Splits a target. Never throws. */
export function parseTarget(url: string): RequestTarget {
  const [, authority, rest = url] = ABSOLUTE.exec(url) ?? [];
  const [path = ''] = rest.split('?', 1);
  return authority === undefined ? { path } : { authority, path };
}
