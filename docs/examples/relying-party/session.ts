/** A session per browser: a random id in a cookie, the rest in memory. Stands in for your session library and its store. */
import { randomBytes } from 'node:crypto';
import type { PendingAuthorization, TokenStorage, Tokens } from 'proviso/client';

/** The session of one browser. */
export interface Session {
  readonly id: string;
  pending?: PendingAuthorization | undefined;
  tokens?: Tokens | undefined;
}

const COOKIE = 'session';
const sessions = new Map<string, Session>();

/** Finds the session of a request; `undefined` without a valid cookie. */
export function readSession(request: Request): Session | undefined {
  const cookies = request.headers.get('Cookie') ?? '';
  const id = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookies)?.[1];
  return id === undefined ? undefined : sessions.get(id);
}

/** Opens a session with a new id in place of the previous one, which prevents session fixation. */
export function openSession(before?: Session): Session {
  const session: Session = { ...before, id: randomBytes(32).toString('base64url') };
  if (before !== undefined) sessions.delete(before.id);
  sessions.set(session.id, session);
  return session;
}

export function closeSession({ id }: Session): void {
  sessions.delete(id);
}

/** Stores the client's tokens in a session. */
export function tokensOf(session: Session): TokenStorage {
  return {
    read: () => session.tokens,
    write: (tokens) => {
      session.tokens = tokens;
    },
  };
}

/** Redirects the browser and sets its session cookie. In production, add `Secure` and the prefix `__Host-`. */
export function redirectTo(location: string, session?: Session): Response {
  const headers = new Headers({ Location: location });
  if (session !== undefined) {
    headers.append('Set-Cookie', `${COOKIE}=${session.id}; HttpOnly; SameSite=Lax; Path=/`);
  }
  return new Response(null, { status: 303, headers });
}
