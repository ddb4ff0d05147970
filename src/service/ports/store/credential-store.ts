/** What issuers attested of people. */
import type { Credential } from '../../../engine/index.js';
import type { AskedMark } from './asked-mark.js';

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
   *
   * @param asked - Of the token that the same request showed: within one turn of the event loop one question, whether anything has
   *   changed, is enough for both.
   */
  readCredentials(userId: string, asked?: AskedMark): Promise<readonly Credential[]>;

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
