/** Store ports of applications, people and credentials. */
import type { Credential } from '../../../engine/index.js';
import type { Application } from '../../clients/application.js';
import type { Person } from '../../people/people.js';

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

  findApplication(clientId: string): Promise<Application | undefined>;

  /** Whether an active application has a redirect URI of this origin, compared as strings. */
  isRegisteredOrigin(origin: string): Promise<boolean>;

  /** Lists all applications by client id in code-unit order. */
  listApplications(): Promise<readonly Application[]>;
}

/** Unique properties of a person. */
export type PersonColumn = 'id' | 'name' | 'email' | 'evmAddress';

/** Stores people. */
export interface PersonStore {
  /** Returns the person with the given name, after inserting the person if unknown. An e-mail or wallet address of another person is not assigned. */
  getOrCreatePerson(person: Person): Promise<Person>;

  /** Ends a person's sessions that started at `at` or earlier. An instant before the recorded one changes nothing. */
  endSessions(userId: string, until: number): Promise<void>;

  /** Finds the person with an id, name or address, case-sensitively. */
  findPerson(by: PersonColumn, value: string): Promise<Person | undefined>;

  /** Finds the person with a name and the person with an e-mail address, in one look-up. */
  findPeopleByHint(hint: string): Promise<{ readonly byName?: Person; readonly byEmail?: Person }>;

  /** Lists people by name in code-unit order, at most `limit`. Default: 100. */
  listPeople(limit?: number): Promise<readonly Person[]>;
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
   * Inserts a person's credential, unless its id was ever used or its subject is bound to another person. The first credential of a subject binds
   * it for good; revoking the credential does not release it.
   *
   * @param subject - Keyed hash of the issuer and the subject; absent for a credential without a subject.
   */
  addCredential(
    userId: string,
    credential: Credential,
    at: number,
    subject?: string,
  ): Promise<CredentialAddition>;

  /** Revokes a credential unless it is revoked already, and returns it; `undefined` for an unknown id. */
  revokeCredential(credentialId: string, at: number): Promise<CredentialRecord | undefined>;
}
