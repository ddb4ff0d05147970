/** Sends a browser to the deployment's own login (V2, S65, S66). */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../../service/index.js';
import { authorizationBegunAt, browserOf } from '../browser.js';
import type { Answer } from './route.js';

/** The address that a browser leaves or comes back to holds what nobody else is to see. */
export const UNTOLD = { 'Referrer-Policy': 'no-referrer' };

/** What the login is asked for. */
interface ExternalSignIn {
  readonly url: string;
  /** The authorization that waits for the person; empty where there is none. */
  readonly authorizationId: string;
  /** Whether the person has to be verified by palm there. */
  readonly palm: boolean;
}

/** Redirects to the deployment's own login, with what the client asked of the sign-in (`prompt`, `max_age`). */
export async function redirectToExternalSignIn(
  request: IncomingMessage,
  signIn: ExternalSignIn,
  service: Service,
): Promise<Answer> {
  const { url, authorizationId, palm } = signIn;
  const browser = browserOf(request, service);
  const back = new URL('/sign-in/return', service.settings.issuer);
  if (authorizationId !== '') back.searchParams.set('authorization_id', authorizationId);
  const target = new URL(url);
  target.searchParams.set('nonce', service.createSignInNonce({ browserKey: browser.key, authorizationId }));
  target.searchParams.set('return_to', back.href);
  if (palm) target.searchParams.set('verify', 'palm');
  for (const [name, value] of await requestedOf(browser.key, authorizationId, service))
    target.searchParams.set(name, value);
  return { kind: 'redirect', location: target.href, headers: { ...browser.headers, ...UNTOLD } };
}

/**
 * Returns `prompt` and `max_age` of the authorization request. Also for a trip for the palm alone: each trip creates a session of its own,
 * which must satisfy them again.
 */
async function requestedOf(
  browserKey: string,
  authorizationId: string,
  service: Service,
): Promise<readonly (readonly [string, string])[]> {
  const detail = await authorizationBegunAt(browserKey, authorizationId, service);
  if (detail === undefined) return [];
  const { prompt, maxAgeSeconds } = detail.authorization;
  return [
    ...(prompt === undefined ? [] : [['prompt', prompt] as const]),
    ...(maxAgeSeconds === undefined ? [] : [['max_age', String(maxAgeSeconds)] as const]),
  ];
}
