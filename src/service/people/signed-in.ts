/** Who is signed in at a browser: signing in, reading the session, and signing out everywhere (S66). */
import type { ServiceContext } from '../context.js';
import type { User } from '../users/user.js';
import {
  isSignedOut,
  openSession,
  readSession,
  type Session,
  type SignInEvent,
  signOutInstant,
} from './session.js';

/** A valid session with its person. */
export interface SignedIn extends Session {
  readonly user: User;
}

/** The same, with the text that the cookie keeps. */
export interface OpenedSession extends SignedIn {
  readonly token: string;
}

/** Opens a new session, and clears the palm verifications of other people at the browser: they were for another sign-in (V6). */
export async function signIn(
  user: User,
  browserKey: string,
  event: SignInEvent,
  context: ServiceContext,
): Promise<OpenedSession> {
  await context.store.clearPalmVerifications(context.digest.sha256(browserKey), user.id);
  return { ...openSession(user, event, context), user };
}

/** Reads a session's text; `undefined` where it is invalid, has expired, or its person is unknown or has signed out since. */
export async function readSignedIn(
  text: string | undefined,
  context: ServiceContext,
): Promise<SignedIn | undefined> {
  const session = readSession(text, context);
  const user = session && (await context.store.findUser('id', session.userId));
  return session && user && !isSignedOut(session, user) ? { ...session, user } : undefined;
}

/** Ends all sessions of a person, at every browser and on every instance. */
export async function signOut(session: Session, { store, clock }: ServiceContext): Promise<void> {
  await store.endSessions(session.userId, signOutInstant(session, clock.now()));
}
