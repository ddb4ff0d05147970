/** The port by which a person proves to be present, before what is sensitive is shared (V6). */
import type { User } from '../users/user.js';

/** The sandbox has a button; a deployment puts its reader here. */
export interface PalmVerifier {
  /**
   * Whether the palm that was shown is this person's: the verification counts for no one else.
   *
   * @param person - Who is to decide.
   * @param authorizationId - What is to be decided.
   * @param sent - What the browser sent with the form, each member once: a reader's own proof stands among it.
   */
  verify(person: User, authorizationId: string, sent: ReadonlyMap<string, string>): Promise<boolean>;
}
