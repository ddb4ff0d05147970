/** Requirements of a client on the person's sign-in: `prompt` and `max_age` (OpenID Connect Core §3.1.2.1). */
import { MS_PER_SECOND } from '../../util/time.js';
import type { Session } from '../people/sessions.js';
import type { Authorization } from './authorization.js';

/** The values of `prompt` that are supported. */
export const PROMPT_VALUES = ['none', 'login', 'consent', 'select_account'] as const;

type PromptValue = (typeof PROMPT_VALUES)[number];

type SignInDemand = Pick<Authorization, 'prompt' | 'maxAgeSeconds'>;

/** Allowed clock difference to an external login; also covers the precision of `auth_time`, which is in seconds. */
export const AUTH_TIME_TOLERANCE_MS = 5_000;

const MAX_AGE = /^\d{1,10}$/;

/**
 * Parses `prompt`: supported values separated by spaces, `none` only by itself.
 *
 * @returns `undefined` if it is invalid. Never throws.
 */
export function parsePrompt(text: string): readonly PromptValue[] | undefined {
  const values = [...new Set(text.split(' '))];
  if (!values.every(isPromptValue)) return undefined;
  return values.includes('none') && values.length > 1 ? undefined : values;
}

/** Parses `max_age`, a number of seconds; `undefined` if it is invalid. Never throws. */
export function parseMaxAge(text: string): number | undefined {
  return MAX_AGE.test(text) ? Number(text) : undefined;
}

/** Returns the instant after which the person must have signed in; `undefined` without a requirement. `max_age=0` equals `prompt=login`. */
export function authenticatedAfter(demand: SignInDemand, requestedAt: number): number | undefined {
  if (demandsNewSignIn(demand)) return requestedAt;
  const { maxAgeSeconds } = demand;
  // A sign-in that is exactly `max_age` old is accepted.
  return maxAgeSeconds === undefined ? undefined : requestedAt - maxAgeSeconds * MS_PER_SECOND - 1;
}

/**
 * Whether a session satisfies the client's requirements on the sign-in.
 *
 * A session that was created for this authorization fails only if the `auth_time` of an external login precedes `authenticatedAfter` by the tolerance
 * or more. If the client requires a new sign-in, every other session fails: with clock differences, it could appear newer than the request.
 * Otherwise, every other session must have been authenticated after `authenticatedAfter`.
 */
export function isAuthenticatedFor(
  authorization: SignInDemand & Pick<Authorization, 'id' | 'authenticatedAfter'>,
  { authenticatedAt, authorizationId }: Pick<Session, 'authenticatedAt' | 'authorizationId'>,
): boolean {
  const { id, authenticatedAfter: after } = authorization;
  if (after === undefined) return true;
  if (authenticatedAt === undefined) return false;
  if (authorizationId === id) return authenticatedAt + AUTH_TIME_TOLERANCE_MS > after;
  return !demandsNewSignIn(authorization) && authenticatedAt > after;
}

/** Whether a client requires a sign-in for its request, by `prompt=login` or `max_age=0`. */
export function demandsNewSignIn({ prompt, maxAgeSeconds }: SignInDemand): boolean {
  return maxAgeSeconds === 0 || prompt?.split(' ').includes('login') === true;
}

function isPromptValue(value: string): value is PromptValue {
  return PROMPT_VALUES.some((one) => one === value);
}
