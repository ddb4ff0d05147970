/** What is known of a request beside what it says: whom it comes from, and how they stand with the limits. */
import type { IncomingMessage } from 'node:http';
import type { RateLimitName, Service, Standing } from '../service/index.js';
import { ServiceError } from '../service/index.js';
import { type AddressReader, createAddressReader } from './caller-address.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http-limits.js';

export interface RequestState {
  readonly limits: HttpLimits;
  readonly work: Work;
  /** Whom the request comes from, as limits and the log name them. */
  readonly address: string;
  /** How its caller stands: of several limits the one that is nearest to its end. */
  standing?: Standing;
  /** The application on whose behalf it was made, once that is known. */
  clientId?: string;
}

/** How many requests are worked on. Those whose body is still arriving are not: a slow caller takes nobody's place. */
export interface Work {
  underWay: number;
}

/** What a state is made of; the same for all requests of a server. */
export interface StateOptions {
  readonly limits: HttpLimits;
  readonly work: Work;
  readonly readAddress: AddressReader;
}

/** On the request itself: looking it up in a map that holds nothing alive takes as long as a whole step of the work. */
const STATE = Symbol('state');

type Kept = IncomingMessage & { [STATE]?: RequestState };

const DEFAULTS: StateOptions = {
  limits: DEFAULT_HTTP_LIMITS,
  work: { underWay: 0 },
  readAddress: createAddressReader(),
};

/** Begins to keep a request's state. */
export function beginState(request: Kept, { limits, work, readAddress }: StateOptions): RequestState {
  const state: RequestState = { limits, work, address: readAddress(request) };
  request[STATE] = state;
  return state;
}

/** The state of a request; one of the defaults where none was begun. */
export function stateOf(request: Kept): RequestState {
  return request[STATE] ?? beginState(request, DEFAULTS);
}

/**
 * Counts a request against a limit.
 *
 * @throws {ServiceError} `rate_limited`
 */
export function countAgainst(
  name: RateLimitName,
  key: string,
  state: RequestState,
  { rateLimiter }: Service,
): void {
  assertWithin(rateLimiter.take(name, key), state);
}

/** Refuses, without counting, who has exceeded a limit already. @throws {ServiceError} `rate_limited` */
export function assertNotExceeded(
  name: RateLimitName,
  key: string,
  state: RequestState,
  { rateLimiter }: Service,
): void {
  const standing = rateLimiter.look(name, key);
  if (standing?.exceeded === true) assertWithin(standing, state);
}

function assertWithin(standing: Standing | undefined, state: RequestState): void {
  if (standing === undefined) return;
  const { exceeded, limit, resetSeconds, retrySeconds } = standing;
  if (exceeded || state.standing === undefined || shareLeft(standing) <= shareLeft(state.standing)) {
    state.standing = standing;
  }
  if (exceeded) {
    throw new ServiceError('rate_limited', {
      limit,
      reset_seconds: resetSeconds,
      retry_after_seconds: retrySeconds,
    });
  }
}

function shareLeft({ remaining, limit }: Standing): number {
  return remaining / limit;
}
