/** A session for each browser: a random name in a cookie, and the rest here. Stands for your session library, and its store. */
import { randomBytes } from 'node:crypto';
import type { PendingAuthorization, TokenStorage, Tokens } from 'proviso/client';

/** What is known of one browser. */
export interface Session {
  readonly id: string;
  pending?: PendingAuthorization | undefined;
  tokens?: Tokens | undefined;
}

const COOKIE = 'session';
const sessions = new Map<string, Session>();

/** The session that a request's cookie names; `undefined` where there is none. */
export function readSession(request: Request): Session | undefined {
  const cookies = request.headers.get('Cookie') ?? '';
  const id = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookies)?.[1];
  return id === undefined ? undefined : sessions.get(id);
}

/** A new session, in place of one that there may be: after a sign-in, so that a name that was planted before is worth nothing. */
export function openSession(before?: Session): Session {
  const session: Session = { ...before, id: randomBytes(32).toString('base64url') };
  if (before !== undefined) sessions.delete(before.id);
  sessions.set(session.id, session);
  return session;
}

export function closeSession({ id }: Session): void {
  sessions.delete(id);
}

/** Where the client keeps this person's tokens. */
export function tokensOf(session: Session): TokenStorage {
  return {
    read: () => session.tokens,
    write: (tokens) => {
      session.tokens = tokens;
    },
  };
}

/** Sends the browser on, with the cookie of its session. In production the cookie is also `Secure` and has the prefix `__Host-`. */
export function redirectTo(location: string, session?: Session): Response {
  const headers = new Headers({ Location: location });
  if (session !== undefined) {
    headers.append('Set-Cookie', `${COOKIE}=${session.id}; HttpOnly; SameSite=Lax; Path=/`);
  }
  return new Response(null, { status: 303, headers });
}
