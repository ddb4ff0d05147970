/** Sessions: a signed token in a cookie identifies the person who is signed in at a browser (S66). */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { CLOCK_TOLERANCE_MS, createBrowserBinding } from '../authorization/browser-binding.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { createOpaqueId } from '../tokens/opaque-token.js';
import { createExternalSignIn } from './external-sign-in.js';
import { createLogout } from './logout-request.js';
import { getPerson, type Person } from './people.js';
import { createProviderSignIn } from './provider-sign-in.js';

/** A valid session with its person. */
export interface SignedIn extends Session {
  readonly person: Person;
}

/** A session with the token for its cookie. */
export interface OpenedSession extends SignedIn {
  readonly token: string;
}

/** Creates the use cases of sessions, browser bindings, sign-ins and logout requests. */
export function createSessions(context: ServiceContext) {
  return {
    ...createBrowserBinding(context),
    ...createExternalSignIn(context),
    ...createProviderSignIn(context),
    ...createLogout(context),

    /**
     * Signs a person in at a browser: opens a new session and clears palm verifications of other people there (V6).
     *
     * @throws {ServiceError} `not_found`; `access_denied` if the person has signed out since the sign-in began.
     */
    async signIn(userId: string, browserBinding: string, event: SignInEvent): Promise<OpenedSession> {
      const person = await getPerson(userId, context);
      // The new session would start after the sign-out, and so undo it.
      if (event.startedAt !== undefined && isBeforeSignOut(event.startedAt, person))
        throw new ServiceError('access_denied');
      await context.store.clearPalmVerifications(context.digest.sha256(browserBinding), person.id);
      return { ...openSession(person, event, context), person };
    },

    /** Finds the session of a cookie and its person; `undefined` if it is invalid or expired, or its person is unknown or has signed out since. */
    async find(text: string | undefined): Promise<SignedIn | undefined> {
      const session = readSession(text, context);
      const person = session && (await context.store.findPerson('id', session.userId));
      return session && person && !isSignedOut(session, person) ? { ...session, person } : undefined;
    },

    /** Ends all sessions of a person, at every browser and on every instance. */
    async signOut(session: Session): Promise<void> {
      await context.store.endSessions(session.userId, signOutInstant(session, context.clock.now()));
    },
  };
}

/** Instants in epoch milliseconds. */
export interface Session {
  readonly userId: string;
  /** When the session started. */
  readonly startedAt: number;
  /** The first instant at which the person must sign in again. */
  readonly expiresAt: number;
  /** When the person authenticated; absent if the external login did not state it. */
  readonly authenticatedAt?: number;
  /** The authorization that the person signed in for; absent without one. */
  readonly authorizationId?: string;
  /** The OpenID Connect provider at which the person signed in; absent without one. */
  readonly providerId?: string;
}

/** How a person signed in. */
export type SignInEvent = Pick<Session, 'authenticatedAt' | 'authorizationId' | 'providerId'> & {
  /** When the sign-in began, at an external login or a provider. Absent if the person authenticated in this request. */
  readonly startedAt?: number;
};

/**
 * Start, authentication, authorization, provider, id, person, signature. The person's id is bounded, since browsers may limit cookies to 4 KiB
 * (RFC 6265 §6.1).
 */
const SESSION =
  /^(\d{1,16}):(\d{0,16}):([A-Za-z0-9_-]{0,64}):([a-z0-9-]{0,32}):([A-Za-z0-9_-]{22}):([^:;,\s"\\]{1,1024}):([A-Za-z0-9_-]{43})$/;

type SessionContext = Pick<ServiceContext, 'clock' | 'random' | 'digest' | 'settings' | 'sessionKey'>;

/** Creates a new session for a person who has just signed in; existing sessions are never reused (S66). */
export function openSession(
  person: Pick<Person, 'id' | 'signedOutAt'>,
  { authenticatedAt, authorizationId, providerId }: SignInEvent,
  context: SessionContext,
): Session & { readonly token: string } {
  const startedAt = afterSignOut(person, context.clock.now());
  const parts = [
    String(startedAt),
    authenticatedAt === undefined ? '' : String(authenticatedAt),
    authorizationId ?? '',
    providerId ?? '',
    createOpaqueId(context.random),
    encodeURIComponent(person.id),
  ];
  return {
    userId: person.id,
    startedAt,
    expiresAt: expiryOf(startedAt, context),
    ...omitUndefined({ authenticatedAt, authorizationId, providerId }),
    token: [...parts, signatureOf(parts, context)].join(':'),
  };
}

/** Verifies a session token; `undefined` if it is invalid or expired. Never throws. */
export function readSession(text: string | undefined, context: SessionContext): Session | undefined {
  const [, ...parts] = SESSION.exec(text ?? '') ?? [];
  const [start, authenticatedAt = '', authorizationId = '', providerId = '', , person, signature] = parts;
  if (start === undefined || person === undefined || signature === undefined) return undefined;
  if (!context.digest.equal(signatureOf(parts.slice(0, -1), context), signature)) return undefined;
  const startedAt = Number(start);
  const expiresAt = expiryOf(startedAt, context);
  if (context.clock.now() >= expiresAt) return undefined;
  return {
    userId: decodeURIComponent(person),
    startedAt,
    expiresAt,
    ...(authenticatedAt === '' ? {} : { authenticatedAt: Number(authenticatedAt) }),
    ...(authorizationId === '' ? {} : { authorizationId }),
    ...(providerId === '' ? {} : { providerId }),
  };
}

/** Whether the person has signed out at any browser since a session started. */
export function isSignedOut({ startedAt }: Session, { signedOutAt }: Pick<Person, 'signedOutAt'>): boolean {
  return signedOutAt !== undefined && startedAt <= signedOutAt;
}

/**
 * Returns the instant to record for a sign-out. All sessions that started until then end, including the current one, and those of an instance
 * whose clock is ahead.
 */
export function signOutInstant({ startedAt }: Session, now: number): number {
  return Math.max(signOutAllAt(now), startedAt);
}

/** Returns the instant to record for a sign-out without a session, by an operator. */
export function signOutAllAt(now: number): number {
  return now + CLOCK_TOLERANCE_MS;
}

/** Whether an instant is earlier than the person's last sign-out, whose recorded instant includes the clock tolerance. */
export function isBeforeSignOut(at: number, { signedOutAt }: Pick<Person, 'signedOutAt'>): boolean {
  return signedOutAt !== undefined && at < signedOutAt - CLOCK_TOLERANCE_MS;
}

/** Returns the current instant, or the first one after the person's last sign-out. */
export function afterSignOut({ signedOutAt }: Pick<Person, 'signedOutAt'>, now: number): number {
  return signedOutAt === undefined ? now : Math.max(now, signedOutAt + 1);
}

function expiryOf(startedAt: number, { settings }: SessionContext): number {
  return startedAt + settings.sessionLifetimeSeconds * MS_PER_SECOND;
}

function signatureOf(parts: readonly string[], { digest, sessionKey }: SessionContext): string {
  return digest.hmacSha256(sessionKey, JSON.stringify(['session', ...parts]));
}
