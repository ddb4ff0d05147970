/** Those who may be of an audience: who there is, who shares what, who of them satisfies a query (V14). */
import type { PolicyItem } from '../../../engine/index.js';

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
export interface AudienceQuestion {
  /** In canonical form. */
  readonly query: PolicyItem;
  readonly among: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** Claims that are worked out from others, and not kept. */
  readonly derived: readonly string[];
}

/** What a store can tell of an audience. */
export interface AudienceAnswer {
  /** In no order. Nobody else among those who were asked about satisfies the query. */
  readonly userIds: readonly string[];
  /** Whether each of them does; otherwise the store could not tell. */
  readonly exact: boolean;
}

/** Goes through people, many at a time. */
export interface CandidateStore {
  /** How many people there are. */
  countUsers(): Promise<number>;

  /** People's ids in the store's own order, from the first or after one of them. */
  listUserIds(after: string | undefined, limit: number): Promise<readonly string[]>;

  /**
   * Lists people with active grants to an application in the order of their subject hashes, which differs by organization: the order of
   * internal ids would let two organizations join their lists line by line.
   */
  listGrantHolders(query: GrantHolderQuery): Promise<readonly GrantedScopes[]>;

  /** Of some people, those who satisfy a query on the credentials that are kept, or who may: see {@link AudienceAnswer}. */
  narrowAudience(question: AudienceQuestion): Promise<AudienceAnswer>;
}
