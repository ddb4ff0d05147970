/** What is known of a request beside what it says: whom it comes from, and how they stand with the limits. */
import type { IncomingMessage } from 'node:http';
import type { RateLimitName, Service, Standing, StepHooks, WorkMeter } from '../service/index.js';
import { createWorkMeter, ServiceError } from '../service/index.js';
import { type AddressReader, createAddressReader } from './caller-address.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './connections.js';

export interface RequestState {
  readonly limits: HttpLimits;
  readonly work: Work;
  /** Whom the request comes from, as limits and the log name them. */
  readonly address: string;
  /** How its caller stands: of several limits the one that is nearest to its end. */
  standing?: Standing;
  /** The application on whose behalf it was made, once that is known. */
  clientId?: string;
  /** Set for a request that uses DPoP: its challenges are of that scheme, and its answer has the next nonce where proofs need one. */
  dpop?: { readonly nonce: string | undefined; readonly algorithms: readonly string[] };
  /** Measures the request's own work on the event loop. */
  readonly meter: WorkMeter;
  /** Who pays for that work; absent where it is not charged. */
  payer?: StepHooks;
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
  /** Milliseconds that only go forward, by which the work of requests is measured. */
  readonly stopwatch: () => number;
}

/** Synchronous work per unit of a rate limit. */
const MS_PER_UNIT = 5;

/** On the request itself: looking it up in a map that holds nothing alive takes as long as a whole step of the work. */
const STATE = Symbol('state');

type Kept = IncomingMessage & { [STATE]?: RequestState };

const DEFAULTS: StateOptions = {
  limits: DEFAULT_HTTP_LIMITS,
  work: { underWay: 0 },
  readAddress: createAddressReader(),
  stopwatch: () => 0,
};

/** Begins to keep a request's state. */
export function beginState(
  request: Kept,
  { limits, work, readAddress, stopwatch }: StateOptions,
): RequestState {
  const meter = createWorkMeter(stopwatch, {
    before: () => state.payer?.before(),
    after: (spentMs) => state.payer?.after(spentMs),
  });
  const state: RequestState = { limits, work, address: readAddress(request), meter };
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
 * @param units - What the request costs.
 * @throws {ServiceError} `rate_limited`
 */
export function countAgainst(
  name: RateLimitName,
  key: string,
  state: RequestState,
  { rateLimiter }: Service,
  units = 1,
): void {
  const standing = rateLimiter.take(name, key, units);
  if (standing === undefined) return;
  if (standing.exceeded) refuse(standing, state);
  noteStanding(standing, state);
}

/**
 * Checks a limit without counting.
 *
 * @param units - What there must be room for; 0 for a request that has paid already.
 * @throws {ServiceError} `rate_limited`
 */
export function assertRoomIn(
  name: RateLimitName,
  key: string,
  state: RequestState,
  { rateLimiter }: Service,
  units: number,
): void {
  const standing = rateLimiter.look(name, key, units);
  if (standing?.exceeded === true) refuse(standing, state);
}

/** Charges units that were spent already, whether or not there is room for them. Never throws. */
export function chargeTo(
  name: RateLimitName,
  key: string,
  state: RequestState,
  { rateLimiter }: Service,
  units: number,
): void {
  if (units < 1) return;
  const standing = rateLimiter.charge(name, key, units);
  if (standing !== undefined) noteStanding(standing, state);
}

/** Refuses a request for which a limit has no room. @throws {ServiceError} `rate_limited` */
export function refuse(standing: Standing, state: RequestState): never {
  state.standing = standing;
  throw new ServiceError('rate_limited', {
    limit: standing.limit,
    reset_seconds: standing.resetSeconds,
    retry_after_seconds: standing.retrySeconds,
  });
}

/**
 * Makes a token and its client pay for the work of a request, step by step: a step is refused where the bucket of either is overdrawn,
 * since many requests may have paid their unit before the first of them began to work. A client pays for one token's work no more than the
 * token's own limit has room for.
 */
export function chargeWorkTo(token: string, clientId: string, state: RequestState, service: Service): void {
  let charged = 0;
  state.payer = {
    before: () => {
      assertRoomIn('token', token, state, service, 0);
      assertRoomIn('client', clientId, state, service, 0);
    },
    after: (spentMs) => {
      // The request was counted with one unit.
      const units = Math.ceil(spentMs / MS_PER_UNIT) - 1 - charged;
      if (units < 1) return;
      charged += units;
      const room = service.rateLimiter.look('token', token)?.remaining ?? units;
      chargeTo('token', token, state, service, units);
      chargeTo('client', clientId, state, service, Math.min(units, room));
    },
  };
}

/** Keeps the standing that is nearest to its end; a later one with the same limit replaces an earlier one. */
function noteStanding(standing: Standing, state: RequestState): void {
  const { standing: before } = state;
  const replaces = before?.name === standing.name || before === undefined;
  if (replaces || shareLeft(standing) <= shareLeft(before)) state.standing = standing;
}

function shareLeft({ remaining, limit }: Standing): number {
  return remaining / limit;
}
