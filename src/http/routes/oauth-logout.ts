/** `/oauth/logout`, the logout endpoint (OpenID Connect RP-Initiated Logout 1.0), and `POST /sign-out`, where the person confirms it (S251, S257). */

import { type FormBinding, type LogoutRequest, type Service, ServiceError } from '../../service/index.js';
import { appendQuery } from '../authorization-response.js';
import {
  assertSameOrigin,
  expiredCookieHeader,
  findSignedInPerson,
  redirectToGet,
  type SignedInPerson,
} from '../browser.js';
import { signedOutPage, signOutPage } from '../pages/sign-out-page.js';
import { parseForm, readForm } from '../parameters/body.js';
import type { RequestContext } from '../request-context.js';
import { BASE_PATH, type Route, type RouteResponse } from './route.js';

const PATH = `${BASE_PATH}/oauth/logout`;

export const oauthLogout: Route = {
  operations: {
    GET: {
      id: 'logout',
      summary: 'Sign a person out of the service (OpenID Connect RP-Initiated Logout 1.0).',
      caller: 'anyone',
      parameters: 'LogoutParameters',
      responses: ['redirect', 'page'],
      errors: ['invalid_client', 'post_logout_redirect_uri_mismatch'],
    },
    POST: {
      id: 'postLogout',
      summary: 'Same as GET, with the parameters in a form: redirects to GET with the same parameters.',
      caller: 'anyone',
      body: { schema: 'LogoutParameters', form: true },
      responses: ['redirect'],
    },
  },
  path: PATH,
  crossOrigin: 'none',
  page: true,
  handle: async (context) =>
    context.request.method === 'POST' ? await redirectToGet(context, PATH) : await logOut(context),
};

async function logOut(context: RequestContext): Promise<RouteResponse> {
  const { service } = context;
  const person = await findSignedInPerson(context);
  const logout = await service.sessions.checkLogoutRequest(parseForm(context.target.query), person);
  if (person === undefined) return afterSignOut(logout);
  if (logout.isConfirmed) return await endSession(person, logout, service);
  return signOutPage({ ...logout, person, csrfToken: service.sessions.csrfToken(logoutBinding(person)) });
}

export const signOut: Route = {
  operations: {
    POST: {
      id: 'confirmSignOut',
      summary: 'Submit the form that confirms the sign-out.',
      caller: 'anyone',
      body: { schema: 'SignOutForm', form: true },
      responses: ['redirect', 'page'],
      errors: ['invalid_client', 'post_logout_redirect_uri_mismatch'],
    },
  },
  path: '/sign-out',
  crossOrigin: 'none',
  page: true,
  handle: async (context) => await confirm(context),
};

async function confirm(context: RequestContext): Promise<RouteResponse> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context);
  const person = await findSignedInPerson(context);
  const logout = await service.sessions.checkLogoutRequest(form, person);
  if (person === undefined) return afterSignOut(logout);
  if (!service.sessions.isCsrfToken(form.get('proof'), logoutBinding(person)))
    throw new ServiceError('access_denied');
  return await endSession(person, logout, service);
}

/** Ends the person's sessions, clears the session cookie, and redirects as requested. */
async function endSession(
  person: SignedInPerson,
  logout: LogoutRequest,
  service: Service,
): Promise<RouteResponse> {
  await service.sessions.signOut(person);
  const response = afterSignOut(logout);
  return { ...response, headers: { ...response.headers, ...expiredCookieHeader('person', service) } };
}

/** Redirects to the requested URI with `state`; without a URI, renders the signed-out page. */
function afterSignOut({ destination }: LogoutRequest): RouteResponse {
  if (destination === undefined) return signedOutPage();
  const { redirectUri, state } = destination;
  return {
    kind: 'redirect',
    location: state === undefined ? redirectUri : appendQuery(redirectUri, { state }),
  };
}

/** Returns the binding of the confirmation form. */
function logoutBinding({ browserBinding, token }: SignedInPerson): FormBinding {
  return { browserBinding, purpose: 'logout', session: token };
}
