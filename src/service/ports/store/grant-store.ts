/** Store ports of grants, for applications and people (V11), and of audiences (V14). */
import type { PolicyItem } from '../../../engine/index.js';
import type { Application } from '../../clients/application.js';
import type { Condition } from '../../conditions/condition.js';

/** Selects a page of the grants to an application, in the order of their last change. */
export interface GrantQuery {
  readonly clientId: string;
  /** Restricts the list to this person. */
  readonly userId?: string;
  readonly status?: GrantStatus;
  /** Changed at this instant or later. */
  readonly updatedSince?: number;
  /** After this grant. */
  readonly after?: { readonly updatedAt: number; readonly authorizationId: string };
  /** Maximum number of grants. */
  readonly limit: number;
  /** The current instant: a grant ends when its code expires unredeemed (V3). */
  readonly at: number;
  /** Whether conditions are read. Without them nothing is decrypted, so that grants with damaged values can be listed. */
  readonly withConditions?: boolean;
}

/** Whether a grant is in force. */
export type GrantStatus = 'active' | 'revoked';

/** A grant as shown to its application. */
export interface GrantRecord {
  readonly authorizationId: string;
  readonly userId: string;
  readonly status: GrantStatus;
  /** The granted scopes, including scopes that the application has lost since. */
  readonly scopes: readonly string[];
  /** The granted conditions; absent if there are none, or without `withConditions`. */
  readonly conditions?: readonly Condition[];
  readonly updatedAt: number;
}

/** Identifies all grants of one person to one application. */
export interface GrantKey {
  readonly userId: string;
  readonly clientId: string;
}

/** A grant as shown to its person. Instants in epoch milliseconds. */
export interface PersonGrant {
  readonly authorizationId: string;
  readonly application: Application;
  readonly status: GrantStatus;
  readonly scopes: readonly string[];
  /** The granted conditions; absent if there are none. */
  readonly conditions?: readonly Condition[];
  readonly approvedAt: number;
  /**
   * The last change; for a revoked grant, its end, which may be the revocation of its application. A grant whose code expires unredeemed has the status
   * `revoked` without such a change.
   */
  readonly updatedAt: number;
  readonly lastTokenIssuedAt?: number;
  /** The first instant at which a withdrawn grant can no longer be restored; absent if it cannot be restored at all. */
  readonly restorableUntil?: number;
}

/**
 * Index by which a grant is found when a client names the person by the pairwise identifier. Keyed, so that a copy of the store does not link
 * identifiers of one person.
 */
export interface SubjectIndex {
  /** Identifies the organization and the key for which `hash` was derived. */
  readonly sector: string;
  readonly hash: string;
}

/** Identifies the person of a grant. */
export type GrantSelector =
  | { readonly by: 'subject'; readonly subject: SubjectIndex }
  | { readonly by: 'name' | 'email' | 'evmAddress'; readonly value: string };

/** A grant in force. */
export interface ActiveGrant {
  readonly authorizationId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
}

/** Stores grants. */
export interface GrantStore {
  /**
   * Finds the latest grant in force of the selected person to an application, among those that have at least one scope of each list of `coverage`.
   * Runs the same look-ups for unknown people and for people without such a grant, in one statement (S122). Addresses are decrypted only for the
   * grant that is found.
   */
  findActiveGrant(
    clientId: string,
    selector: GrantSelector,
    coverage: readonly (readonly string[])[],
    at: number,
  ): Promise<ActiveGrant | undefined>;

  /** Lists grants to an application that are not indexed for a sector, in no particular order; empty if all are. */
  listUnindexedGrants(
    clientId: string,
    sector: string,
    limit: number,
  ): Promise<readonly Pick<GrantRecord, 'authorizationId' | 'userId'>[]>;

  /** Records the subject indexes of grants. */
  indexGrants(
    grants: readonly { readonly authorizationId: string; readonly subject: SubjectIndex }[],
  ): Promise<void>;

  /** Lists grants to an application in the order of their last change, then by id, in the database's order of ids. */
  listGrants(query: GrantQuery): Promise<readonly GrantRecord[]>;

  /**
   * Lists grants of a person, the latest first, at most `limit`; all if it is `undefined`. If there are more, those with the highest priority are
   * listed: first, one grant to each application; then one for each combination of application, list of scopes, and whether there are conditions;
   * then a second one for each combination, and so on. Of several such grants, one in force has priority over an ended one, and a later one over an
   * earlier one.
   */
  listPersonGrants(userId: string, limit: number | undefined, at: number): Promise<readonly PersonGrant[]>;

  /**
   * Revokes all grants of a person to an application (V11), including those whose code expired unredeemed. Grants whose code was redeemed can be
   * restored by {@link restoreGrants} before `until`, unless they are revoked otherwise meanwhile, or a later withdrawal revokes other grants; the
   * grants whose code was not redeemed are revoked for good.
   *
   * @returns Number of revoked grants.
   */
  withdrawGrants(withdrawal: GrantKey & { readonly until: number; readonly at: number }): Promise<number>;

  /**
   * Restores grants that {@link withdrawGrants} ended, if the application is active and no other grant of the person to it is in force.
   * Tokens that were revoked individually or have expired stay so.
   *
   * @returns Number of restored grants.
   */
  restoreGrants(key: GrantKey, at: number): Promise<number>;
}

/** Selects a page of the people with active grants to an application. */
export interface GrantHolderQuery {
  readonly clientId: string;
  /** Sector of the application's organization: see `SubjectIndex`. */
  readonly sector: string;
  /** The current instant. */
  readonly at: number;
  /** After the person with this subject hash. */
  readonly after?: string;
  /** Maximum number of people. */
  readonly limit: number;
}

/** A person, and the scopes of each of their active grants. */
export interface GrantedScopes {
  readonly userId: string;
  /** Subject hash of the person for the organization. */
  readonly subjectHash: string;
  readonly grants: readonly (readonly string[])[];
}

/** A query for the people in `among` who satisfy a policy. */
export interface AudienceQuery {
  /** In canonical form. */
  readonly query: PolicyItem;
  readonly among: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** Derived claims, which are not stored. */
  readonly derived: readonly string[];
}

/** Candidates of an audience. */
export interface AudienceCandidates {
  /** In no particular order. No other person in `among` satisfies the query. */
  readonly userIds: readonly string[];
  /** Whether every candidate satisfies the query; otherwise the candidates must be evaluated. */
  readonly exact: boolean;
}

/** Queries over many people. */
export interface CandidateStore {
  /** Estimates the number of people, without reading them; 0 if it is unknown. */
  estimatePeople(): Promise<number>;

  /** Lists ids of people in the store's order, from the first or after a given one. */
  listPersonIds(after: string | undefined, limit: number): Promise<readonly string[]>;

  /**
   * Lists people with active grants to an application in the order of their subject hashes, which differs by organization. The order of internal
   * ids would let organizations correlate their lists.
   */
  listGrantHolders(query: GrantHolderQuery): Promise<readonly GrantedScopes[]>;

  /** Narrows people down to candidates, who satisfy or may satisfy a query on their stored credentials: see {@link AudienceCandidates}. */
  narrowAudience(query: AudienceQuery): Promise<AudienceCandidates>;
}
