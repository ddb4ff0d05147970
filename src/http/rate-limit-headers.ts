/** How a caller is told how they stand: by the draft of the IETF's HTTP API group, and by the names that clients already read (contract §4). */
import type { Standing } from '../service/index.js';

const MS_PER_SECOND = 1_000;

/** What a browser's script may read of an answer beside its body. */
export const EXPOSED_HEADERS =
  'DPoP-Nonce, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

/** Adds the headers of a standing to a list of names and values. Never throws. */
export function pushRateLimit(
  head: string[],
  { name, limit, remaining, resetSeconds, resetAt }: Standing,
): void {
  head.push(
    'RateLimit-Policy',
    `"${name}";q=${limit};w=60`,
    'RateLimit',
    `"${name}";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetAt / MS_PER_SECOND)),
  );
}
