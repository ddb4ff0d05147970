/** What a client may ask of the person's sign-in: `prompt` and `max_age` (OpenID Connect Core §3.1.2.1). */
import { MS_PER_SECOND } from '../../util/time.js';
import type { Session } from '../people/sessions.js';
import type { Authorization } from './authorization.js';

/** The values of `prompt` that are supported. */
export const PROMPT_VALUES = ['none', 'login', 'consent', 'select_account'] as const;

type PromptValue = (typeof PROMPT_VALUES)[number];

type SignInDemand = Pick<Authorization, 'prompt' | 'maxAgeSeconds'>;

/** By how much the clock of an external sign-in may be behind ours; also makes up for `auth_time` being in whole seconds. */
const AUTH_TIME_TOLERANCE_MS = 5_000;

const MAX_AGE = /^\d{1,10}$/;

/**
 * Parses `prompt`: supported values separated by spaces, `none` only by itself.
 *
 * @returns `undefined` where it is invalid. Never throws.
 */
export function parsePrompt(text: string): readonly PromptValue[] | undefined {
  const values = [...new Set(text.split(' '))];
  if (!values.every(isPromptValue)) return undefined;
  return values.includes('none') && values.length > 1 ? undefined : values;
}

/** Parses `max_age`, a number of seconds; `undefined` where it is invalid. Never throws. */
export function parseMaxAge(text: string): number | undefined {
  return MAX_AGE.test(text) ? Number(text) : undefined;
}

/** The instant after which the person must have signed in; `undefined` where any sign-in will do. `max_age=0` equals `prompt=login`. */
export function authenticatedAfter(demand: SignInDemand, requestedAt: number): number | undefined {
  if (demandsNewSignIn(demand)) return requestedAt;
  const { maxAgeSeconds } = demand;
  // A sign-in exactly as old as `max_age` will do.
  return maxAgeSeconds === undefined ? undefined : requestedAt - maxAgeSeconds * MS_PER_SECOND - 1;
}

/**
 * Whether a session satisfies what the client asked of the sign-in.
 *
 * Where a new sign-in is demanded, only a session that was created for this very authorization does: clocks may differ, so that an older
 * session could seem to be newer than the request. Such a session came after the request, so that only `auth_time` of an external sign-in
 * can be too old: it has the tolerance. With `max_age` any other session must have been authenticated after the recorded instant.
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

function demandsNewSignIn({ prompt, maxAgeSeconds }: SignInDemand): boolean {
  return maxAgeSeconds === 0 || prompt?.split(' ').includes('login') === true;
}

function isPromptValue(value: string): value is PromptValue {
  return PROMPT_VALUES.some((one) => one === value);
}
