/** Binds a browser to the authorization that it began, and forms to that browser and to the person who is signed in there (S60, S65). */
import type { ServiceContext } from '../context.js';
import { createOpaqueId, createOpaqueToken } from '../tokens/opaque-token.js';

/** What a form is for: a page of its own, or one page for each authorization. */
export type FormPurpose = 'sign-in' | 'grants' | 'logout' | `consent:${string}`;

/** What a form was rendered for. */
export interface FormBinding {
  readonly browserBinding: string;
  readonly purpose: FormPurpose;
  /** The session that the page showed; absent where nobody was signed in. */
  readonly session?: string | undefined;
}

/** An hour: how long an external sign-in may take. */
const NONCE_LIFETIME_MS = 3_600_000;
/** By how much the clocks of instances may differ. */
const CLOCK_TOLERANCE_MS = 5_000;
/** Start, random part, signature. */
const NONCE = /^(\d{1,16})\.([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/;

type NonceContext = Pick<ServiceContext, 'clock' | 'random' | 'digest' | 'sessionKey'>;

/** The browser and the authorization for which a person is sent to an external login. */
export interface ExternalSignInAttempt {
  readonly browserBinding: string;
  /** The authorization that waits for the person; empty where there is none. */
  readonly authorizationId: string;
}

/** Instants of a trip, epoch milliseconds. */
interface NonceTimes {
  readonly startedAt: number;
  /** Until when its nonce must be remembered as used: an instance whose clock is behind accepts it a little longer. */
  readonly rememberUntil: number;
}

/** Keys and tokens that bind an authorization, a form or a trip to one browser. */
export function createBrowserBinding(context: ServiceContext) {
  const { random, digest, clock } = context;
  const csrfToken = ({ browserBinding, purpose, session }: FormBinding): string =>
    digest.hmacSha256(browserBinding, JSON.stringify(['csrf', purpose, session ?? null]));
  return {
    /** Creates a key for a browser that has none: 256 bits, kept by its cookie alone. */
    createBrowserKey(): string {
      return createOpaqueToken(random, digest).token;
    },

    /** Returns the token that a form carries: it is valid only at the browser, for the purpose and in the session it was rendered for. */
    csrfToken,

    /** Whether a form carries the token of what it is submitted for. */
    isCsrfToken(token: string | undefined, binding: FormBinding): boolean {
      return token !== undefined && digest.equal(token, csrfToken(binding));
    },

    /**
     * Creates the nonce of one trip to an external login: it is bound to the browser that is sent there and to the authorization, so that
     * nobody can sign another's browser in as themselves. Each trip has its own.
     */
    createSignInNonce(attempt: ExternalSignInAttempt): string {
      return signedNonce(String(clock.now()), createOpaqueId(random), attempt, context);
    },
  };
}

/** Reads a nonce; `undefined` where it was not created for this trip or has expired. Never throws. */
export function readSignInNonce(
  nonce: string,
  attempt: ExternalSignInAttempt,
  context: NonceContext,
): NonceTimes | undefined {
  const [, start, random] = NONCE.exec(nonce) ?? [];
  if (start === undefined || random === undefined) return undefined;
  if (!context.digest.equal(nonce, signedNonce(start, random, attempt, context))) return undefined;
  const startedAt = Number(start);
  const expiresAt = startedAt + NONCE_LIFETIME_MS;
  if (context.clock.now() >= expiresAt) return undefined;
  return { startedAt, rememberUntil: expiresAt + CLOCK_TOLERANCE_MS };
}

/** Signed with a key of the service: a browser must not be able to date its own trip after a sign-out. */
function signedNonce(
  start: string,
  random: string,
  { browserBinding, authorizationId }: ExternalSignInAttempt,
  { digest, sessionKey }: NonceContext,
): string {
  const signed = JSON.stringify(['sign-in', browserBinding, authorizationId, start, random]);
  return `${start}.${random}.${digest.hmacSha256(sessionKey, signed)}`;
}
