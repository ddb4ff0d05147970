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
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  return authority === undefined ? { path: withoutQuery(url) } : { authority, path: withoutQuery(rest) };
}

function withoutQuery(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}
