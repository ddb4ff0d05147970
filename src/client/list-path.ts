/** The address of one page of a list. */
import type { CallOptions } from './connection.js';

/** Which page, of what. */
export interface ListOptions extends CallOptions {
  /** RFC 3339: nothing that changed before. */
  readonly updatedSince?: string;
  /** 1 to 100 items; 50 where absent. */
  readonly limit?: number;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** The path of a list's page below the issuer. Never throws. */
export function listPath(path: string, options: ListOptions & { readonly status?: string }): string {
  const { updatedSince, limit, cursor, status } = options;
  const asked = Object.entries({ status, updated_since: updatedSince, limit, cursor });
  const query = asked.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}
