/** Who is signed in at a browser: signing in, reading the session, and signing out everywhere (S66). */
import { createBrowserBinding } from '../authorization/browser-binding.js';
import type { ServiceContext } from '../context.js';
import type { User } from '../users/user.js';
import { createLogout } from './logout-request.js';
import { getPerson } from './people.js';
import {
  isSignedOut,
  openSession,
  readSession,
  type Session,
  type SignInEvent,
  signOutInstant,
} from './session.js';
import { createExternalSignIn } from './sign-in-elsewhere.js';

/** A valid session with its person. */
export interface SignedIn extends Session {
  readonly user: User;
}

/** The same, with the text that the cookie keeps. */
export interface OpenedSession extends SignedIn {
  readonly token: string;
}

/** The sessions of people at their browsers, and the forms and trips that are bound to them. */
export function createSessions(context: ServiceContext) {
  return {
    ...createBrowserBinding(context),
    ...createExternalSignIn(context),
    ...createLogout(context),

    /**
     * Signs a person in at a browser: opens a new session, and clears the palm verifications of other people there, which were for another
     * sign-in (V6).
     *
     * @throws {ServiceError} `not_found`
     */
    async signIn(userId: string, browserKey: string, event: SignInEvent): Promise<OpenedSession> {
      const user = await getPerson(userId, context);
      await context.store.clearPalmVerifications(context.digest.sha256(browserKey), user.id);
      return { ...openSession(user, event, context), user };
    },

    /** Finds the session of a cookie, and its person; `undefined` where it is invalid, has expired, or its person is unknown or has signed out since. */
    async find(text: string | undefined): Promise<SignedIn | undefined> {
      const session = readSession(text, context);
      const user = session && (await context.store.findUser('id', session.userId));
      return session && user && !isSignedOut(session, user) ? { ...session, user } : undefined;
    },

    /** Ends all sessions of a person, at every browser and on every instance. */
    async signOut(session: Session): Promise<void> {
      await context.store.endSessions(session.userId, signOutInstant(session, context.clock.now()));
    },
  };
}
