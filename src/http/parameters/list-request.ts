/** Which part of a list is asked for: how many, from where on, and since when (S146). */
import { parseInstant } from '../../engine/index.js';
import type { ListRequest } from '../../service/index.js';
import { malformed } from './malformed.js';

const DEFAULT_LIMIT = 50;

/** @throws {ServiceError} `malformed_body` for an instant that is none. */
export function toListRequest(given: {
  readonly updated_since?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}): ListRequest {
  const { updated_since: since, limit = DEFAULT_LIMIT, cursor } = given;
  const updatedSince = since === undefined ? undefined : parseInstant(since);
  if (since !== undefined && updatedSince === undefined) {
    const message = '`updated_since` is an RFC 3339 date-time such as `2026-01-31T09:00:00Z`.';
    throw malformed('/updated_since', 'instant_malformed', message);
  }
  return {
    limit,
    ...(updatedSince === undefined ? {} : { updatedSince }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
