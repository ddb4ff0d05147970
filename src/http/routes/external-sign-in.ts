/** Sends a browser to the deployment's own login, and takes it back at `GET /sign-in/return` with a signed assertion of who signed in (V2, S65, S66). */

import { type Service, ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { cookieHeader, findBoundAuthorization, findBrowserBinding, getOrCreateBrowser } from '../browser.js';
import { parseForm } from '../parameters/body.js';
import type { RequestContext } from '../request-context.js';
import { pathAfterSignIn, type Route, type RouteResponse } from './route.js';

/** The address that a browser leaves or comes back to holds what nobody else is to see. */
const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' };

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
): Promise<RouteResponse> {
  const { service } = context;
  const { url, authorizationId, palm } = signIn;
  const browser = getOrCreateBrowser(context);
  const back = new URL('/sign-in/return', service.settings.issuer);
  if (authorizationId !== '') back.searchParams.set('authorization_id', authorizationId);
  const target = new URL(url);
  target.searchParams.set(
    'nonce',
    service.sessions.createSignInNonce({ browserBinding: browser.binding, authorizationId }),
  );
  target.searchParams.set('return_to', back.href);
  if (palm) target.searchParams.set('verify', 'palm');
  for (const [name, value] of await signInParametersOf(browser.binding, authorizationId, service))
    target.searchParams.set(name, value);
  return { kind: 'redirect', location: target.href, headers: { ...browser.headers, ...NO_REFERRER } };
}

/**
 * Returns `prompt` and `max_age` of the authorization request. Also for a trip for the palm alone: each trip creates a session of its own,
 * which must satisfy them again.
 */
async function signInParametersOf(
  browserBinding: string,
  authorizationId: string,
  service: Service,
): Promise<readonly (readonly [string, string])[]> {
  const detail = await findBoundAuthorization(browserBinding, authorizationId, service);
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
      responses: ['redirect'],
      errors: ['not_found', 'reauthentication_required'],
    },
  },
  path: '/sign-in/return',
  crossOrigin: 'none',
  page: true,
  handle: async (context) => {
    const { service } = context;
    if (service.signInUrl === undefined) throw new ServiceError('not_found');
    const parameters = parseForm(context.target.query);
    const authorizationId = parameters.get('authorization_id') ?? '';
    const browserBinding = findBrowserBinding(context);
    // A browser that nobody sent away from here has nothing to come back with.
    if (browserBinding === undefined) throw new ServiceError('access_denied');
    const cookie = await signInPerson(
      parameters.get('assertion') ?? '',
      browserBinding,
      authorizationId,
      service,
    );
    const location = pathAfterSignIn(authorizationId);
    return {
      kind: 'redirect',
      location,
      headers: { ...cookieHeader('person', cookie, service), ...NO_REFERRER },
    };
  },
};

/** Signs in the person whom an assertion names. @returns What their cookie is to hold. */
async function signInPerson(
  assertion: string,
  browserBinding: string,
  authorizationId: string,
  service: Service,
): Promise<string> {
  const authorization = (await findBoundAuthorization(browserBinding, authorizationId, service))
    ?.authorization;
  const accepted = await service.sessions.acceptAssertion(assertion, {
    browserBinding,
    authorizationId,
    authorization,
  });
  if (accepted === undefined) throw new ServiceError('access_denied');
  const { person, authenticatedAt, palmVerified } = accepted;
  const { token } = await service.sessions.signIn(person.id, browserBinding, {
    ...omitUndefined({ authenticatedAt }),
    ...(authorization === undefined ? {} : { authorizationId: authorization.id }),
  });
  if (palmVerified && authorization !== undefined)
    await service.authorizations.recordPalmVerification(authorization.id, person.id);
  return token;
}
