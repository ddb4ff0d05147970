/** Applications, people, and what issuers attested of them. */
import type { Credential } from '../../../engine/index.js';
import type { Application } from '../../clients/application.js';
import type { Person } from '../../people/people.js';

/** Keeps applications, in force or revoked. */
export interface ApplicationStore {
  /**
   * Records an application, or changes what is known of it; when it was registered stays, and one that is revoked stays so. `updatedAt`
   * stays as well where nothing changes.
   */
  recordApplication(application: Application): Promise<void>;

  /** Records an application unless one of its id is known, in force or revoked; tells whether it was. Of several at once, one is. */
  registerApplication(application: Application): Promise<boolean>;

  findApplication(clientId: string): Promise<Application | undefined>;

  /** Whether an application in force has a redirect URI of this origin, compared as strings. */
  isRegisteredOrigin(origin: string): Promise<boolean>;

  /** Every application, by client id in code-unit order. */
  listApplications(): Promise<readonly Application[]>;
}

/** What no two people share. */
export type PersonColumn = 'id' | 'name' | 'email' | 'evmAddress';

/** Keeps people, each under a name of their own. */
export interface PersonStore {
  /**
   * Records a person under their name unless one of that name is known, and gives the one that is. An e-mail or wallet address that
   * another person has stays theirs.
   */
  getOrCreatePerson(user: Person): Promise<Person>;

  /** Ends a person's sessions that began at an instant or before it. An earlier instant than one already recorded changes nothing. */
  endSessions(userId: string, until: number): Promise<void>;

  /** The person who has this id, name or address; letter case counts. */
  findPerson(by: PersonColumn, value: string): Promise<Person | undefined>;

  /** Some people, by name in code-unit order: the first of the store's own order, 100 at most where no limit is given. */
  listPeople(limit?: number): Promise<readonly Person[]>;
}

/** A credential with what the store knows of it beside. */
export interface CredentialRecord {
  readonly credential: Credential;
  /** Whose it is. */
  readonly userId: string;
  /** When it was recorded or revoked; epoch milliseconds. */
  readonly updatedAt: number;
}

/** What became of a credential that was to be added. */
export type CredentialAddition = 'added' | 'id_repeated' | 'subject_of_another_person';

/** Keeps credentials, active or not. */
export interface CredentialStore {
  /**
   * Every credential of a person, active or not, in no particular order; none for a person who is not known. The list may be the same
   * object as before where nothing has changed: nobody changes it.
   */
  readCredentials(userId: string): Promise<readonly Credential[]>;

  /** As {@link readCredentials}, with what the store knows of each, in the order of their last change, then by id. */
  listCredentials(userId: string): Promise<readonly CredentialRecord[]>;

  /**
   * Records a person's credential, unless its id was ever taken or its subject is bound to another person. The first credential of a
   * subject binds it, for good: revoking the credential does not release it.
   *
   * @param subject - A keyed hash of the issuer and its subject; absent where the credential states none.
   */
  addCredential(
    userId: string,
    credential: Credential,
    at: number,
    subject?: string,
  ): Promise<CredentialAddition>;

  /** Revokes a credential that is not revoked, and gives it as it is then; `undefined` where there is none. */
  revokeCredential(credentialId: string, at: number): Promise<CredentialRecord | undefined>;
}
