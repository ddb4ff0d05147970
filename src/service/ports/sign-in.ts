/** The port by which people show who they are, before they decide or look at what they decided. */
import type { User } from '../users/user.js';

/** The sandbox lets one choose; a deployment puts its own sign-in here. */
export interface SignIn {
  /** Those among whom one chooses; nobody where a person has to prove who they are. */
  choices(): Promise<readonly User[]>;
  /**
   * Who somebody is, by what their browser sent from the sign-in form; `undefined` where that does not show it.
   *
   * @param sent - The form's members, each once. A deployment that signs people in elsewhere takes what came back from there, such as a
   *   signed assertion, as a member of its own.
   * @returns A person who proved who they are just now: the instant counts as that of the sign-in (`auth_time`), also where the client
   *   asked for a new one (`prompt=login`, `max_age`). An older sign-in must not be accepted.
   */
  verify(sent: ReadonlyMap<string, string>): Promise<User | undefined>;
}
