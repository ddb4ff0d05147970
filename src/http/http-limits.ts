/** What one caller may take of the server, in bytes, seconds and numbers (S11, S12, S16, D11). */

export interface HttpLimits {
  /** Open at once; further ones are closed without a word. */
  readonly connections: number;
  /** Open at once for each address of a peer (IPv6: each /64) that is no trusted proxy; further ones are closed. 0: no limit. */
  readonly connectionsPerAddress: number;
  /** Under way at once; further ones are answered with 503. */
  readonly concurrentRequests: number;
  /** Unanswered at once on one connection; one more is answered with 503 and closes the connection. */
  readonly pipelinedRequests: number;
  /** Of the request's line and its headers together. */
  readonly headerBytes: number;
  readonly headers: number;
  /** Code units. */
  readonly urlLength: number;
  readonly bodyBytes: number;
  /** Until a head is there. */
  readonly headTimeoutMs: number;
  /** Until a whole request is there. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be idle between requests. */
  readonly keepAliveMs: number;
  /** How long output may wait without the peer reading any of it. */
  readonly sendTimeoutMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = Object.freeze({
  connections: 20_000,
  connectionsPerAddress: 256,
  concurrentRequests: 1_000,
  pipelinedRequests: 16,
  headerBytes: 16_384,
  headers: 100,
  urlLength: 8_192,
  // Larger than any query that is within the language's limits in practice.
  bodyBytes: 65_536,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  sendTimeoutMs: 30_000,
});

/** How often connections are checked against the time limits. */
export const CHECKING_INTERVAL_MS = 2_000;
