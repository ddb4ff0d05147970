/** Counts requests and their work against the limits of their callers, and states in headers how these stand (S124, S197, contract §4). */

import { type RateLimitName, type RateLimitStatus, ServiceError } from '../service/index.js';
import { MS_PER_SECOND } from '../util/time.js';
import type { RequestContext } from './request-context.js';

/** Synchronous work per unit of a rate limit. */
const MS_PER_UNIT = 5;

/**
 * Counts a request against a limit.
 *
 * @param units - What the request costs.
 * @throws {ServiceError} `rate_limited`
 */
export function countAgainst(name: RateLimitName, key: string, context: RequestContext, units = 1): void {
  const standing = context.service.rateLimiter.consume(name, key, units);
  if (standing === undefined) return;
  if (standing.exceeded) rejectRateLimited(standing, context);
  updateRateLimit(standing, context);
}

/**
 * Checks a limit without counting.
 *
 * @param units - What must be left; 0 for a request that has paid already.
 * @throws {ServiceError} `rate_limited`
 */
export function assertCapacity(
  name: RateLimitName,
  key: string,
  context: RequestContext,
  units: number,
): void {
  const standing = context.service.rateLimiter.peek(name, key, units);
  if (standing?.exceeded === true) rejectRateLimited(standing, context);
}

/** Charges units that were spent already, whatever is left. Never throws. */
export function chargeUnits(name: RateLimitName, key: string, context: RequestContext, units: number): void {
  if (units < 1) return;
  const standing = context.service.rateLimiter.charge(name, key, units);
  if (standing !== undefined) updateRateLimit(standing, context);
}

/** Rejects a request that exceeds a limit. @throws {ServiceError} `rate_limited` */
export function rejectRateLimited(standing: RateLimitStatus, context: RequestContext): never {
  context.rateLimit = standing;
  throw new ServiceError('rate_limited', {
    limit: standing.limit,
    reset_seconds: standing.resetSeconds,
    retry_after_seconds: standing.retrySeconds,
  });
}

/**
 * Charges the work of a request to a token and its client, step by step: a step is rejected where the bucket of either is overdrawn,
 * since many requests may have paid their unit before the first of them began to work. A client pays for one token's work no more than the
 * token's own limit has left.
 */
export function chargeWork(token: string, clientId: string, context: RequestContext): void {
  let charged = 0;
  context.payer = {
    before: () => {
      assertCapacity('token', token, context, 0);
      assertCapacity('client', clientId, context, 0);
    },
    after: (spentMs) => {
      // The request was counted with one unit.
      const units = Math.ceil(spentMs / MS_PER_UNIT) - 1 - charged;
      if (units < 1) return;
      charged += units;
      const left = context.service.rateLimiter.peek('token', token)?.remaining ?? units;
      chargeUnits('token', token, context, units);
      chargeUnits('client', clientId, context, Math.min(units, left));
    },
  };
}

/** Keeps the standing that is nearest to its end; a later one with the same limit replaces an earlier one. */
function updateRateLimit(standing: RateLimitStatus, context: RequestContext): void {
  const { rateLimit: before } = context;
  const replaces = before?.name === standing.name || before === undefined;
  if (replaces || remainingShare(standing) <= remainingShare(before)) context.rateLimit = standing;
}

function remainingShare({ remaining, limit }: RateLimitStatus): number {
  return remaining / limit;
}

/**
 * Adds the headers of a standing to a list of names and values: those of the IETF's draft, and the ones that clients already read. Never
 * throws.
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
