/** What is told of an answered request to who keeps logs and metrics: nothing that a caller wrote, and nobody's claims (S198, S199). */
import type { ErrorSubcode } from '../service/index.js';

export interface Answered {
  readonly requestId: string;
  /** The operation's id; absent where there is none of this method and path. */
  readonly operation?: string;
  readonly method: string;
  readonly status: number;
  /** Why it was refused. */
  readonly subcode?: ErrorSubcode;
  /** Whom it came from, as limits name them. */
  readonly address: string;
  /** The application on whose behalf it was made, where that is known. */
  readonly clientId?: string;
  readonly durationMs: number;
}
