/** Applies rate limits to requests and their work, and renders the rate limit headers (S124, S197). */

import { type RateLimitName, type RateLimitStatus, ServiceError } from '../service/index.js';
import { MS_PER_SECOND } from '../util/time.js';
import type { RequestContext } from './request-context.js';

/** Milliseconds of synchronous work per unit of a rate limit. */
const MS_PER_UNIT = 5;

/**
 * Counts a request against a limit.
 *
 * @param units - Cost of the request.
 * @throws {ServiceError} `rate_limited`
 */
export function countAgainst(name: RateLimitName, key: string, context: RequestContext, units = 1): void {
  const status = context.service.rateLimiter.consume(name, key, units);
  if (status === undefined) return;
  if (status.exceeded) rejectRateLimited(status, context);
  updateRateLimit(status, context);
}

/**
 * Checks a limit without counting.
 *
 * @param units - Required remaining units; 0 for a request that was charged already.
 * @throws {ServiceError} `rate_limited`
 */
export function assertCapacity(
  name: RateLimitName,
  key: string,
  context: RequestContext,
  units: number,
): void {
  const status = context.service.rateLimiter.peek(name, key, units);
  if (status?.exceeded === true) rejectRateLimited(status, context);
}

/** Charges units for completed work, even beyond the limit. Never throws. */
export function chargeUnits(name: RateLimitName, key: string, context: RequestContext, units: number): void {
  if (units < 1) return;
  const status = context.service.rateLimiter.charge(name, key, units);
  if (status !== undefined) updateRateLimit(status, context);
}

/** Rejects a request that exceeds a limit. @throws {ServiceError} `rate_limited` */
export function rejectRateLimited(status: RateLimitStatus, context: RequestContext): never {
  context.rateLimit = status;
  throw new ServiceError('rate_limited', {
    limit: status.limit,
    reset_seconds: status.resetSeconds,
    retry_after_seconds: status.retrySeconds,
  });
}

/**
 * Makes each measured step of a request charge its work to a token and its client. A step is rejected if the limit of either is exceeded, since many
 * requests may have been admitted before the first of them started its work. Each step charges the client at most the units that the token had
 * left, so a token that exceeds its limit does not use up the limit of its client.
 */
export function chargeWork(token: string, clientId: string, context: RequestContext): void {
  let charged = 0;
  context.chargeHooks = {
    before: () => {
      assertCapacity('token', token, context, 0);
      assertCapacity('client', clientId, context, 0);
    },
    after: (spentMs) => {
      // One unit was already charged for the request.
      const units = Math.ceil(spentMs / MS_PER_UNIT) - 1 - charged;
      if (units < 1) return;
      charged += units;
      const remaining = context.service.rateLimiter.peek('token', token)?.remaining ?? units;
      chargeUnits('token', token, context, units);
      chargeUnits('client', clientId, context, Math.min(units, remaining));
    },
  };
}

/** Records the status of the limit with the smallest remaining share. A later status of the same limit replaces an earlier one. */
function updateRateLimit(status: RateLimitStatus, context: RequestContext): void {
  const { rateLimit: before } = context;
  const replaces = before?.name === status.name || before === undefined;
  if (replaces || remainingShare(status) <= remainingShare(before)) context.rateLimit = status;
}

function remainingShare({ remaining, limit }: RateLimitStatus): number {
  return remaining / limit;
}

/**
 * Appends the rate limit headers to a list of names and values: the headers of the IETF draft, and the common `X-RateLimit-*`. Never throws.
 */
export function pushRateLimit(
  head: string[],
  { name, limit, remaining, resetSeconds, resetAt }: RateLimitStatus,
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
