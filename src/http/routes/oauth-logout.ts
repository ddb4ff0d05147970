/** `/oauth/logout`, where an application sends a person's browser to sign them out (OpenID Connect RP-Initiated Logout 1.0), and `POST /sign-out`, where the person confirms it (S251, S257). */

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
      summary: 'As GET, with the parameters in a form: sends the browser on to GET with the same parameters.',
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
      summary: 'The person confirmed to sign out, from the page’s own form.',
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

/** Ends the person's sessions, has the browser forget its own, and goes on as the request says. */
async function endSession(
  person: SignedInPerson,
  logout: LogoutRequest,
  service: Service,
): Promise<RouteResponse> {
  await service.sessions.signOut(person);
  const answer = afterSignOut(logout);
  return { ...answer, headers: { ...answer.headers, ...expiredCookieHeader('person', service) } };
}

/** Sends the browser to the registered URI with `state` and nothing else; without one, says that nobody is signed in here. */
function afterSignOut({ destination }: LogoutRequest): RouteResponse {
  if (destination === undefined) return signedOutPage();
  const { redirectUri, state } = destination;
  return {
    kind: 'redirect',
    location: state === undefined ? redirectUri : appendQuery(redirectUri, { state }),
  };
}

/** What the form of the confirmation page is rendered for. */
function logoutBinding({ browserBinding, token }: SignedInPerson): FormBinding {
  return { browserBinding, purpose: 'logout', session: token };
}
