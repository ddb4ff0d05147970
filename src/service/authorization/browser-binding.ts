/** Binds authorizations to the browser that started them, and forms to the browser and its session (S60, S65). */
import type { ServiceContext } from '../context.js';
import { createOpaqueId, createOpaqueToken } from '../tokens/opaque-token.js';

/** The page that a form belongs to; the consent page has one form per authorization. */
export type FormPurpose = 'sign-in' | 'grants' | 'logout' | 'personal-data' | `consent:${string}`;

/** The context that a form was rendered in. */
export interface FormBinding {
  readonly browserBinding: string;
  readonly purpose: FormPurpose;
  /** The token of the session that the page was rendered for; absent without a sign-in. */
  readonly session?: string | undefined;
}

/** Maximum duration of an external sign-in: an hour. */
const NONCE_LIFETIME_MS = 3_600_000;
/** Allowed clock difference between instances. */
export const CLOCK_TOLERANCE_MS = 5_000;
/** Start in epoch milliseconds, random part, signature. */
const NONCE = /^(\d{1,16})\.([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/;

export type NonceContext = Pick<ServiceContext, 'clock' | 'random' | 'digest' | 'sessionKey'>;

/** A sign-in at an external login or provider: its browser and its authorization. */
export interface ExternalSignInAttempt {
  readonly browserBinding: string;
  /** The pending authorization; empty without one. */
  readonly authorizationId: string;
  /** The OpenID Connect provider; absent for the external login. */
  readonly providerId?: string;
}

/** Instants of an external sign-in, epoch milliseconds. */
interface NonceTimes {
  readonly startedAt: number;
  /** Until when the used nonce must be remembered, clock tolerance included. */
  readonly rememberUntil: number;
}

/** Creates the keys and tokens that bind an authorization, a form or an external sign-in to one browser. */
export function createBrowserBinding(context: ServiceContext) {
  const { random, digest } = context;
  const csrfToken = ({ browserBinding, purpose, session }: FormBinding): string =>
    digest.hmacSha256(browserBinding, JSON.stringify(['csrf', purpose, session ?? null]));
  return {
    /** Creates the binding key of a new browser: 256 bits, stored only in a cookie. */
    createBrowserKey(): string {
      return createOpaqueToken(random, digest).token;
    },

    /** Returns the CSRF token of a form, valid only for the browser, purpose and session that it was rendered for. */
    csrfToken,

    /** Whether a submitted CSRF token matches the form's context. */
    isCsrfToken(token: string | undefined, binding: FormBinding): boolean {
      return token !== undefined && digest.equal(token, csrfToken(binding));
    },

    /** Creates the nonce of one external sign-in. It is bound to the browser and the authorization, which prevents login CSRF. */
    createSignInNonce(attempt: ExternalSignInAttempt): string {
      return createSignInNonce(attempt, context);
    },
  };
}

/** Creates the nonce of one external sign-in. */
export function createSignInNonce(attempt: ExternalSignInAttempt, context: NonceContext): string {
  return signedNonce(String(context.clock.now()), createOpaqueId(context.random), attempt, context);
}

/** Verifies a nonce and returns its instants; `undefined` if it belongs to another sign-in or has expired. Never throws. */
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

/** Returns a nonce that the service signed. Otherwise, a browser could replace the start by an instant after a sign-out. */
function signedNonce(
  start: string,
  random: string,
  { browserBinding, authorizationId, providerId }: ExternalSignInAttempt,
  { digest, sessionKey }: NonceContext,
): string {
  // A nonce is valid at one provider only (`null`: at the external login).
  const signed = JSON.stringify([
    'sign-in',
    browserBinding,
    authorizationId,
    providerId ?? null,
    start,
    random,
  ]);
  return `${start}.${random}.${digest.hmacSha256(sessionKey, signed)}`;
}
