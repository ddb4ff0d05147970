/** Store ports of applications, people and credentials. */
import type { Credential } from '../../../engine/index.js';
import type { Application } from '../../clients/application.js';
import type { Person } from '../../people/people.js';
import type { LinkIdentifier } from '../sign-in-provider.js';

/** Changes of an application. */
export interface ApplicationChanges {
  /** Replaces the secret of an application that has one. */
  readonly secretHash?: string;
  readonly revokedAt?: number;
  readonly updatedAt: number;
}

/** Stores applications, active or revoked. */
export interface ApplicationStore {
  /**
   * Inserts or updates an application. The instant of registration is kept, and a revoked application stays revoked. `updatedAt` is kept if
   * nothing changes.
   */
  upsertApplication(application: Application): Promise<void>;

  /**
   * Inserts an application unless its id is taken, even by a revoked one; returns whether it was inserted. Of concurrent calls, exactly one
   * succeeds.
   */
  insertApplication(application: Application): Promise<boolean>;

  /**
   * Changes only these properties of an active application, so that no concurrent change of other properties is lost.
   *
   * @returns The changed application; `undefined` if it is unknown or revoked, or has no secret to replace.
   */
  updateApplication(clientId: string, changes: ApplicationChanges): Promise<Application | undefined>;

  findApplication(clientId: string): Promise<Application | undefined>;

  /** Whether an active application has a redirect URI of this origin, compared as strings. */
  isRegisteredOrigin(origin: string): Promise<boolean>;

  /** Lists all applications by client id in code-unit order. */
  listApplications(): Promise<readonly Application[]>;
}

/** Unique properties of a person. */
export type PersonColumn = 'id' | 'name' | 'email' | 'evmAddress';

/** The types of identifiers, written `type|value`, as in `login_hint`. */
export const IDENTIFIER_TYPES = ['id', 'user', 'user_id', 'email', 'evm', 'evm_addr', 'wallet'] as const;

/** A sign-in with an account at an OpenID Connect provider. */
export interface AccountSignIn {
  /** Keyed hash of the issuer and its `sub`. */
  readonly accountHash: string;
  readonly issuer: string;
  /** The identifiers by which an account without a person is linked to an existing person, tried in this order. */
  readonly linkBy: readonly LinkIdentifier[];
  /** The person to create if none is linked. */
  readonly person: Person;
  /** The name of the new person if another person has the name in `person`. */
  readonly alternativeName: string;
  readonly at: number;
}

/** Stores people. */
export interface PersonStore {
  /**
   * Returns the person with the given name, who is inserted if unknown. A known person also gets the given e-mail and wallet addresses. An address of
   * another person is not assigned.
   */
  getOrCreatePerson(person: Person): Promise<Person>;

  /**
   * Returns the person of an account. An account without a person is linked to the first person that an identifier of `linkBy` finds and that has
   * no account at the issuer, otherwise to a new person. An e-mail address of another person is not assigned. Of concurrent calls for one account,
   * all return the same person.
   */
  signInWithAccount(signIn: AccountSignIn): Promise<Person>;

  /** Ends a person's sessions that started at `until` or earlier. An instant before the recorded one changes nothing. */
  endSessions(userId: string, until: number): Promise<void>;

  /** Finds the person with an id, name or address, case-sensitively except for the domain of an e-mail address. */
  findPerson(by: PersonColumn, value: string): Promise<Person | undefined>;

  /** Finds the person whose name is the hint and the person whose e-mail address is the hint, in one look-up. */
  findPeopleByHint(hint: string): Promise<{ readonly byName?: Person; readonly byEmail?: Person }>;

  /** Lists the first people in the database's order of names, at most `limit` (default: 100), sorted by name in code-unit order. */
  listPeople(limit?: number): Promise<readonly Person[]>;
}

/** An account at an OpenID Connect provider. */
export interface LinkedAccount {
  readonly issuer: string;
  /** Epoch milliseconds. */
  readonly linkedAt: number;
}

/** A person to erase. */
export interface Erasure {
  readonly userId: string;
  /** Returns the keyed hash of the id of a credential. The store keeps the hashes of revoked credentials. */
  readonly hashId: (id: string) => string;
  readonly at: number;
}

/** How many credentials and grants an erasure removed. */
export interface ErasureCounts {
  readonly credentials: number;
  readonly grants: number;
}

/** Lists and erases what is held about people, and removes what has ended. */
export interface ErasureStore {
  /** Lists people after an id, in the database's order of ids. */
  listPeopleById(after: string, limit: number): Promise<readonly Person[]>;

  /** Lists a person's accounts at OpenID Connect providers, by issuer. */
  listAccounts(userId: string): Promise<readonly LinkedAccount[]>;

  /**
   * Deletes a person with their credentials, grants, tokens, accounts, ledger and answers about bounded claims, in one transaction. Also deletes
   * authorization requests without a person whose `login_hint` is in plaintext and has an identifier of the person exactly as stored; other requests with
   * such a hint are deleted after they expire. Entries of the audit log stay, and no longer lead to the person. A revoked credential of the person cannot
   * be added again. Decrypts nothing, so that damaged values can be erased.
   *
   * @returns `undefined` if the person does not exist.
   */
  erasePerson(erasure: Erasure): Promise<ErasureCounts | undefined>;

  /**
   * Removes grants that ended at `before` or earlier, with their tokens and their entries in the ledger.
   *
   * @returns Number of removed grants; 0 when none are left.
   */
  sweepGrants(before: number, limit: number): Promise<number>;

  /** Lists the ids of credentials that expired or were revoked at `before` or earlier. */
  listEndedCredentials(before: number, limit: number): Promise<readonly string[]>;

  /**
   * Removes those of the credentials that expired or were revoked at `before` or earlier; returns their number. A revoked one cannot be added again.
   *
   * @param idHashes - The ids of the credentials, each with its keyed hash.
   */
  removeEndedCredentials(idHashes: ReadonlyMap<string, string>, before: number, at: number): Promise<number>;

  /**
   * Removes deleted data from the files of the store.
   *
   * @returns The tables that an administrator must rewrite to do it; `undefined` if it is done.
   */
  purgeErased(): Promise<readonly string[] | undefined>;
}

/** A credential with its person and its last change. */
export interface CredentialRecord {
  readonly credential: Credential;
  /** The person of the credential. */
  readonly userId: string;
  /** When it was recorded or revoked; epoch milliseconds. */
  readonly updatedAt: number;
}

/** The outcome of adding a credential. */
export type CredentialAddition = 'added' | 'id_repeated' | 'subject_of_another_person';

/** Stores credentials, active or not. */
export interface CredentialStore {
  /**
   * Reads all credentials of a person, active or not, in no particular order; empty for an unknown person. May return the same array while
   * nothing has changed; it must not be modified.
   */
  readCredentials(userId: string): Promise<readonly Credential[]>;

  /** Like {@link readCredentials}, for many people, by person. People without credentials are absent. */
  readCredentialsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, readonly Credential[]>>;

  /** Like {@link readCredentials}, with their last changes, ordered by last change, then by id. */
  listCredentials(userId: string): Promise<readonly CredentialRecord[]>;

  /**
   * Inserts a person's credential, unless its id is that of a stored credential or of a removed one that was revoked, or its subject is bound to
   * another person. The first credential of a subject binds it for good; revoking the credential does not release it.
   *
   * @param subject - Keyed hash of the issuer and the subject; absent for a credential without a subject.
   * @param idHash - Keyed hash of the id, by which a revoked credential of an erased person is recognized.
   */
  addCredential(
    userId: string,
    credential: Credential,
    at: number,
    subject?: string,
    idHash?: string,
  ): Promise<CredentialAddition>;

  /** Revokes a credential unless it is revoked already, and returns it; `undefined` for an unknown id. */
  revokeCredential(credentialId: string, at: number): Promise<CredentialRecord | undefined>;
}
