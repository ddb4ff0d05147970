/** A person's session: a signed text that says who is at a browser, and since when; its cookie keeps it, we keep nothing (S66). */
import type { ServiceContext } from '../context.js';
import { createOpaqueId } from '../tokens/opaque-token.js';

/** Instants in epoch milliseconds. */
export interface Session {
  readonly userId: string;
  /** When the person showed who they are. */
  readonly startedAt: number;
  /** The first instant at which they have to show it again. */
  readonly expiresAt: number;
}

const MS_PER_SECOND = 1_000;
/** No user's id is longer in our cookies (RFC 6265 §6.1 lets browsers cut at 4 KiB). */
const SESSION = /^(\d{1,16}):([A-Za-z0-9_-]{22}):([^:;,\s"\\]{1,1024}):([A-Za-z0-9_-]{43})$/;

type SessionContext = Pick<ServiceContext, 'clock' | 'random' | 'digest' | 'settings' | 'sessionKey'>;

/** Opens a session for who has just shown who they are: a new one each time, whatever the browser held before (S66). */
export function openSession(userId: string, context: SessionContext): string {
  const said = [String(context.clock.now()), createOpaqueId(context.random), encodeURIComponent(userId)];
  return [...said, proofOf(said, context)].join(':');
}

/** What a session's text says; `undefined` where it is none of ours, or its time is over. Never throws. */
export function readSession(text: string | undefined, context: SessionContext): Session | undefined {
  const [, ...parts] = SESSION.exec(text ?? '') ?? [];
  const [startedAt, id, user, proof] = parts;
  if (startedAt === undefined || id === undefined || user === undefined || proof === undefined)
    return undefined;
  if (!context.digest.equal(proofOf([startedAt, id, user], context), proof)) return undefined;
  const expiresAt = Number(startedAt) + context.settings.sessionLifetimeSeconds * MS_PER_SECOND;
  if (context.clock.now() >= expiresAt) return undefined;
  return { userId: decodeURIComponent(user), startedAt: Number(startedAt), expiresAt };
}

function proofOf(said: readonly string[], { digest, sessionKey }: SessionContext): string {
  return digest.hmacSha256(sessionKey, JSON.stringify(['session', ...said]));
}
