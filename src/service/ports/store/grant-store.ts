/** Grants as an application and a person see them (V11), and the search for the people of an audience (V14). */
import type { PolicyItem } from '../../../engine/index.js';
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
  /** As they were granted, whatever the application may still ask for. */
  readonly scopes: readonly string[];
  readonly updatedAt: number;
}

/** All that one person agreed to towards one application. */
export interface GrantKey {
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

/**
 * What a grant is found by when a client names the person by the pairwise identifier. Keyed: a copy of the store does not tell which
 * identifiers belong to one person.
 */
export interface SubjectIndex {
  /** For which organization, and under which key, `hash` was derived. */
  readonly sector: string;
  readonly hash: string;
}

/** How a client names a person who granted it something. */
export type GrantSelector =
  | { readonly by: 'subject'; readonly subject: SubjectIndex }
  | { readonly by: 'name' | 'email' | 'evmAddress'; readonly value: string };

/** A grant in force. */
export interface ActiveGrant {
  readonly authorizationId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
}

/** Finds grants, lists them, ends them and brings them back. */
export interface GrantStore {
  /**
   * Finds the grant that was approved last among those in force, to an application, of the person whom a selector names, and that cover the
   * selector. One statement, with the same look-ups for a person who does not exist and for one without such a grant (S122). No address is
   * decrypted unless a grant covers the selector; at most 100 grants of the person are looked at.
   *
   * @param coverage - Of each list the grant must have one scope at least.
   */
  findActiveGrant(
    clientId: string,
    selector: GrantSelector,
    coverage: readonly (readonly string[])[],
    at: number,
  ): Promise<ActiveGrant | undefined>;

  /** Grants to an application whose subject was never indexed, or for another sector; in no order, none where all are indexed. */
  listUnindexedGrants(
    clientId: string,
    sector: string,
    limit: number,
  ): Promise<readonly Pick<GrantRecord, 'authorizationId' | 'userId'>[]>;

  /** Records by what these grants are found. */
  indexGrants(
    grants: readonly { readonly authorizationId: string; readonly subject: SubjectIndex }[],
  ): Promise<void>;

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
  withdrawGrants(withdrawal: GrantKey & { readonly until: number; readonly at: number }): Promise<number>;

  /**
   * Puts in force again what {@link withdrawGrants} ended, as long as the application is and the person has not agreed to anything else
   * towards it meanwhile. Tokens that were revoked by themselves or have expired stay so.
   *
   * @returns How many are in force again.
   */
  restoreGrants(holding: GrantKey, at: number): Promise<number>;
}

/** Whose grants to an application are asked for. */
export interface GrantHolderQuery {
  readonly clientId: string;
  /** Of the application's organization: see `SubjectIndex`. */
  readonly sector: string;
  /** The instant that it is. */
  readonly at: number;
  /** After the person with this subject hash. */
  readonly after?: string;
  /** How many people at most. */
  readonly limit: number;
}

/** A person, and the scopes of each of their grants that is in force. */
export interface GrantedScopes {
  readonly userId: string;
  /** By which the person is indexed for the organization. */
  readonly subjectHash: string;
  readonly grants: readonly (readonly string[])[];
}

/** Who of some people satisfies a query. */
export interface AudienceQuery {
  /** In canonical form. */
  readonly query: PolicyItem;
  readonly among: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** Claims that are worked out from others, and not kept. */
  readonly derived: readonly string[];
}

/** What a store can tell of an audience. */
export interface AudienceCandidates {
  /** In no order. Nobody else among those who were asked about satisfies the query. */
  readonly userIds: readonly string[];
  /** Whether each of them does; otherwise the store could not tell. */
  readonly exact: boolean;
}

/** Goes through people, many at a time. */
export interface CandidateStore {
  /** How many people there are. */
  countPeople(): Promise<number>;

  /** People's ids in the store's own order, from the first or after one of them. */
  listPersonIds(after: string | undefined, limit: number): Promise<readonly string[]>;

  /**
   * Lists people with active grants to an application in the order of their subject hashes, which differs by organization: the order of
   * internal ids would let two organizations join their lists line by line.
   */
  listGrantHolders(query: GrantHolderQuery): Promise<readonly GrantedScopes[]>;

  /** Of some people, those who satisfy a query on the credentials that are kept, or who may: see {@link AudienceCandidates}. */
  narrowAudience(question: AudienceQuery): Promise<AudienceCandidates>;
}
