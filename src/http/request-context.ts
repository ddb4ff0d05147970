/** The context of a request: the argument of its handler and of the functions that read the request. */
import type { IncomingMessage } from 'node:http';
import type { ErrorSubcode, RateLimitStatus, Service, StepHooks, WorkMeter } from '../service/index.js';
import { createWorkMeter } from '../service/index.js';
import type { HttpLimits } from './connections.js';
import type { PlaygroundFiles } from './pages/assets.js';
import type { RequestTarget } from './request-head.js';

/** Response headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** Information about the program, for routes. */
export interface Deployment {
  /** Version of the program, shown at `/health`; absent if it must not be public (S29). */
  readonly version?: string;
  /** The commit that the program was built from, shown at `/health`. */
  readonly commit?: string;
  /** Whether the instance is shutting down, shown at `/ready` (S200). Default: never. */
  readonly isShuttingDown?: () => boolean;
  /** Whether routes with `grantsAccess` are rejected. Default: false. */
  readonly signInsOff?: boolean;
  /** Reads the metrics in the Prometheus format; absent if there are none. */
  readonly metrics?: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The playground; absent if it is not served. */
  readonly playground?: PlaygroundFiles;
}

/** The part of the context that all requests of a listener share. */
export interface ServerContext {
  readonly service: Service;
  readonly deployment: Deployment;
  readonly limits: HttpLimits;
  readonly inFlight: InFlightCounter;
  /** Cached JSON of documents that do not change while the service runs, by path. */
  readonly documents: Map<string, string>;
  /** The origins that were registered when they were last looked up. */
  readonly registeredOrigins: Set<string>;
}

export interface RequestContext extends ServerContext {
  readonly request: IncomingMessage;
  /** The caller's id for the request, or a new one. */
  readonly requestId: string;
  readonly target: RequestTarget;
  /** The address of the caller, in the normalized form that limits and the log use. */
  readonly address: string;
  /** The parameter of the route's path; empty if it has none. */
  readonly pathParameter: string;
  /** Measures the synchronous work of the request. */
  readonly meter: WorkMeter;
  /** The status of the rate limit with the smallest remaining share. */
  rateLimit?: RateLimitStatus;
  /** The application on whose behalf the request was made, once it is authenticated. */
  clientId?: string;
  /** Why the request was rejected, if the response is a form to correct and not an error. */
  rejection?: ErrorSubcode;
  /** Set for a request that uses DPoP: challenges then use the DPoP scheme, and the response contains the next nonce if proofs require one. */
  dpop?: { readonly nonce: string | undefined; readonly algorithms: readonly string[] };
  /** Charges the request's work to rate limits; absent if it is not charged. */
  chargeHooks?: StepHooks;
}

/** Counts the requests in flight. A request whose body is still arriving does not count, so that slow callers do not block others. */
export class InFlightCounter {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
  }
}

/**
 * Creates the context of a request. Never throws.
 *
 * @param stopwatch - Monotonic clock, in milliseconds.
 */
export function createRequestContext(
  parts: Pick<RequestContext, 'request' | 'requestId' | 'target' | 'address' | 'pathParameter'>,
  { service, deployment, limits, inFlight, documents, registeredOrigins }: ServerContext,
  stopwatch: () => number,
): RequestContext {
  const { request, requestId, target, address, pathParameter } = parts;
  const meter = createWorkMeter(stopwatch, {
    before: () => context.chargeHooks?.before(),
    after: (spentMs) => context.chargeHooks?.after(spentMs),
  });
  const context: RequestContext = {
    request,
    requestId,
    target,
    address,
    pathParameter,
    service,
    deployment,
    limits,
    inFlight,
    documents,
    registeredOrigins,
    meter,
  };
  return context;
}

/** Returns the JSON of a document that does not change while the service runs. Calls `build` at the first request. */
export function serializeOnce(path: string, { documents }: RequestContext, build: () => unknown): string {
  const cached = documents.get(path);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(build());
  documents.set(path, text);
  return text;
}
