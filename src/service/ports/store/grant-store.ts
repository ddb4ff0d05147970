/** What people agreed to, as an application and as they themselves see it (V11). */
import type { Application } from '../../clients/application.js';

/** Which grants are asked for, in the order of their last change. */
export interface GrantQuery {
  readonly clientId: string;
  /** Of this person only. */
  readonly userId?: string;
  readonly status?: GrantStatus;
  /** Changed at this instant or later. */
  readonly updatedSince?: number;
  /** After this grant. */
  readonly after?: { readonly updatedAt: number; readonly authorizationId: string };
  /** How many at most. */
  readonly limit: number;
  /** The instant that it is: a code whose lifetime is over has taken its grant with it (V3). */
  readonly at: number;
}

/** Whether what somebody agreed to is in force. */
export type GrantStatus = 'active' | 'revoked';

/** What somebody agreed to, as its application may see it. */
export interface GrantRecord {
  readonly authorizationId: string;
  readonly userId: string;
  readonly status: GrantStatus;
  readonly updatedAt: number;
}

/** All that one person agreed to towards one application. */
export interface Holding {
  readonly userId: string;
  readonly clientId: string;
}

/** What a person agreed to, as they see it themselves. Instants in epoch milliseconds. */
export interface PersonGrant {
  readonly authorizationId: string;
  readonly application: Application;
  readonly status: GrantStatus;
  readonly scopes: readonly string[];
  readonly approvedAt: number;
  /** The last change: for a grant that has ended, its end, or earlier where it ended by itself. */
  readonly updatedAt: number;
  readonly lastTokenIssuedAt?: number;
  /** Present where the person ended it: the first instant at which they can no longer take that back. */
  readonly withdrawnUntil?: number;
}

/** Lists grants, ends them and brings them back. */
export interface GrantStore {
  /** What people agreed to towards an application, in the order of its last change, then by id in code-unit order. */
  listGrants(query: GrantQuery): Promise<readonly GrantRecord[]>;

  /** What a person agreed to, the latest first, at most so many. */
  listPersonGrants(userId: string, limit: number, at: number): Promise<readonly PersonGrant[]>;

  /**
   * Ends all that a person agreed to towards an application: it is revoked from then on, for everybody (V11). What had its code redeemed
   * can be taken back by {@link restoreGrants} before `until`, unless something else ends it meanwhile; the rest is revoked for good.
   *
   * @returns How many were in force.
   */
  withdrawGrants(withdrawal: Holding & { readonly until: number; readonly at: number }): Promise<number>;

  /**
   * Puts in force again what {@link withdrawGrants} ended, as long as the application is and the person has not agreed to anything else
   * towards it meanwhile. Tokens that were revoked by themselves or have expired stay so.
   *
   * @returns How many are in force again.
   */
  restoreGrants(holding: Holding, at: number): Promise<number>;
}
