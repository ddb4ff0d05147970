/** Sends a browser to the deployment's own login, and takes it back at `GET /sign-in/return` with a signed assertion of who signed in (V2, S65, S66). */

import { type Service, ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { authorizationBegunAt, browserOf, cookieHeader, knownBrowser } from '../browser.js';
import { parseForm } from '../parameters/body.js';
import type { RequestContext } from '../request-context.js';
import { type Answer, pathAfterSignIn, type Route } from './route.js';

/** The address that a browser leaves or comes back to holds what nobody else is to see. */
const UNTOLD = { 'Referrer-Policy': 'no-referrer' };

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
  context: RequestContext,
  signIn: ExternalSignIn,
): Promise<Answer> {
  const { service } = context;
  const { url, authorizationId, palm } = signIn;
  const browser = browserOf(context);
  const back = new URL('/sign-in/return', service.settings.issuer);
  if (authorizationId !== '') back.searchParams.set('authorization_id', authorizationId);
  const target = new URL(url);
  target.searchParams.set(
    'nonce',
    service.sessions.createSignInNonce({ browserKey: browser.key, authorizationId }),
  );
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

export const signInReturn: Route = {
  operations: {
    GET: {
      id: 'returnFromSignIn',
      summary: 'Back from the deployment’s own login, with an assertion of who signed in.',
      caller: 'anyone',
      parameters: 'SignInReturnParameters',
      answers: ['redirect'],
      errors: ['not_found', 'reauthentication_required'],
    },
  },
  path: '/sign-in/return',
  crossOrigin: 'none',
  page: true,
  answer: async (context) => {
    const { service } = context;
    if (service.signInUrl === undefined) throw new ServiceError('not_found');
    const parameters = parseForm(context.target.query);
    const authorizationId = parameters.get('authorization_id') ?? '';
    const browserKey = knownBrowser(context);
    // A browser that nobody sent away from here has nothing to come back with.
    if (browserKey === undefined) throw new ServiceError('access_denied');
    const cookie = await enter(parameters.get('assertion') ?? '', browserKey, authorizationId, service);
    const location = pathAfterSignIn(authorizationId);
    return { kind: 'redirect', location, headers: { ...cookieHeader('person', cookie, service), ...UNTOLD } };
  },
};

/** Signs in the person whom an assertion names. @returns What their cookie is to hold. */
async function enter(
  assertion: string,
  browserKey: string,
  authorizationId: string,
  service: Service,
): Promise<string> {
  const authorization = (await authorizationBegunAt(browserKey, authorizationId, service))?.authorization;
  const accepted = await service.sessions.acceptAssertion(assertion, {
    browserKey,
    authorizationId,
    authorization,
  });
  if (accepted === undefined) throw new ServiceError('access_denied');
  const { person, authenticatedAt, palmVerified } = accepted;
  const { token } = await service.sessions.signIn(person.id, browserKey, {
    ...omitUndefined({ authenticatedAt }),
    ...(authorization === undefined ? {} : { authorizationId: authorization.id }),
  });
  if (palmVerified && authorization !== undefined)
    await service.authorizations.recordPalmVerification(authorization.id, person.id);
  return token;
}
