/** The context of a request: what its handler and the functions that read it need, handed to each of them as one argument. */
import type { IncomingMessage } from 'node:http';
import type { RateLimitStatus, Service, StepHooks, WorkMeter } from '../service/index.js';
import { createWorkMeter } from '../service/index.js';
import type { HttpLimits } from './connections.js';
import type { PlaygroundFiles } from './pages/assets.js';
import type { RequestTarget } from './request-head.js';

/** Response headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** What routes may know of the program around them. */
export interface Deployment {
  /** Of the program, shown at `/health`; absent where strangers are not to know it (S29). */
  readonly version?: string;
  /** The commit that the program was built from, shown at `/health`. */
  readonly commit?: string;
  /** Whether the instance is about to end, shown at `/ready` (S200); absent where it never is. */
  readonly isShuttingDown?: () => boolean;
  /** Metrics as Prometheus reads them; absent where nothing is measured. */
  readonly metrics?: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The playground; absent where it is not served. */
  readonly playground?: PlaygroundFiles;
}

/** What is the same for all requests of a listener. */
export interface ServerContext {
  readonly service: Service;
  readonly deployment: Deployment;
  readonly limits: HttpLimits;
  readonly inFlight: InFlightCounter;
  /** JSON texts of documents that cannot change while the service runs, by path. */
  readonly documents: Map<string, string>;
}

export interface RequestContext extends ServerContext {
  readonly request: IncomingMessage;
  /** The caller's id for the request, or a new one. */
  readonly requestId: string;
  readonly target: RequestTarget;
  /** The address of the caller, as limits and the log name it. */
  readonly address: string;
  /** What stands in the place of the `{…}` of the route's path; empty where it has none. */
  readonly pathParameter: string;
  /** Measures the request's own work on the event loop. */
  readonly meter: WorkMeter;
  /** How the caller stands: of several limits the one that is nearest to its end. */
  rateLimit?: RateLimitStatus;
  /** The application on whose behalf the request was made, once that is known. */
  clientId?: string;
  /** Set for a request that uses DPoP: its challenges are of that scheme, and its response has the next nonce where proofs need one. */
  dpop?: { readonly nonce: string | undefined; readonly algorithms: readonly string[] };
  /** Charges the request's work to limits; absent where it is not charged. */
  payer?: StepHooks;
}

/** Counts the requests in flight. One whose body is still arriving does not count: a slow caller takes up nobody's place. */
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
 * @param stopwatch - Milliseconds that only go forward.
 */
export function createRequestContext(
  parts: Pick<RequestContext, 'request' | 'requestId' | 'target' | 'address' | 'pathParameter'>,
  { service, deployment, limits, inFlight, documents }: ServerContext,
  stopwatch: () => number,
): RequestContext {
  const { request, requestId, target, address, pathParameter } = parts;
  const meter = createWorkMeter(stopwatch, {
    before: () => context.payer?.before(),
    after: (spentMs) => context.payer?.after(spentMs),
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
    meter,
  };
  return context;
}

/** Returns the JSON text of a document of a route that cannot change while the service runs. `build` runs with the first request. */
export function serializeOnce(path: string, { documents }: RequestContext, build: () => unknown): string {
  const parts = documents.get(path);
  if (parts !== undefined) return parts;
  const text = JSON.stringify(build());
  documents.set(path, text);
  return text;
}
