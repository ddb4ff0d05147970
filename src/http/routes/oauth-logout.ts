/**
 * `/oauth/logout`, the logout endpoint (OpenID Connect RP-Initiated Logout 1.0); `POST /sign-out`, which receives the confirmation form; and
 * `GET /signed-out`, to which a provider redirects after its logout (S251, S257).
 */

import { type FormBinding, type LogoutRequest, type Service, ServiceError } from '../../service/index.js';
import { appendQuery } from '../authorization-response.js';
import {
  assertSameOrigin,
  expiredCookieHeader,
  findSignedInPerson,
  redirectToGet,
  type SignedInPerson,
} from '../browser.js';
import { continuePage } from '../pages/continue-page.js';
import { signedOutPage, signOutPage } from '../pages/sign-out-page.js';
import { parseForm, readForm } from '../parameters/body.js';
import { languageOf } from '../person-language.js';
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
  if (person === undefined) return afterSignOut(logout, context);
  if (logout.isConfirmed) return await endSession(person, logout, context);
  const csrfToken = service.sessions.csrfToken(logoutBinding(person));
  return signOutPage({ ...logout, language: languageOf(context), person, csrfToken });
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
  if (person === undefined) return afterSignOut(logout, context);
  if (!service.sessions.isCsrfToken(form.get('proof'), logoutBinding(person)))
    throw new ServiceError('access_denied');
  return await endSession(person, logout, context);
}

/** Ends all sessions of the person here and, if configured, their session at the provider; clears the session cookie; redirects as requested. */
export async function endSession(
  person: SignedInPerson,
  logout: Pick<LogoutRequest, 'application' | 'destination'>,
  context: RequestContext,
): Promise<RouteResponse> {
  const { service, request } = context;
  await service.sessions.signOut(person);
  const provider = await signOutAtProvider(person, logout, service);
  const response =
    provider.url === undefined
      ? afterSignOut(logout, context, provider.remaining)
      : request.method === 'POST'
        ? continuePage('page.signOut', provider.url, languageOf(context))
        : ({ kind: 'redirect', location: provider.url } as const);
  return { ...response, headers: { ...response.headers, ...expiredCookieHeader('person', service) } };
}

/**
 * Returns `url`, which signs the person out at their provider, or `remaining`, the name of the provider if it cannot be reached. Neither if
 * sign-out there is not configured or not supported.
 */
async function signOutAtProvider(
  { providerId }: SignedInPerson,
  { application, destination }: Pick<LogoutRequest, 'application' | 'destination'>,
  { sessions }: Service,
): Promise<{ readonly url?: string | undefined; readonly remaining?: string | undefined }> {
  const state = new URLSearchParams();
  if (application !== undefined && destination !== undefined) {
    state.set('client_id', application.clientId);
    state.set('post_logout_redirect_uri', destination.redirectUri);
    if (destination.state !== undefined) state.set('state', destination.state);
  }
  try {
    return { url: await sessions.createProviderLogoutUrl(providerId, state.toString()) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.subcode !== 'sign_in_unavailable') throw error;
    return { remaining: sessions.listProviders(false).find(({ id }) => id === providerId)?.name };
  }
}

export const signedOut: Route = {
  operations: {
    GET: {
      id: 'returnFromSignOut',
      summary: 'Return from the provider where the person was signed out.',
      caller: 'anyone',
      parameters: 'SignedOutParameters',
      responses: ['redirect', 'page'],
      errors: ['invalid_client', 'post_logout_redirect_uri_mismatch'],
    },
  },
  path: '/signed-out',
  crossOrigin: 'none',
  page: true,
  handle: async (context) => {
    if ((await findSignedInPerson(context)) !== undefined) return { kind: 'redirect', location: '/grants' };
    const requested = parseForm(parseForm(context.target.query).get('state') ?? '');
    return afterSignOut(await context.service.sessions.checkLogoutRequest(requested, undefined), context);
  },
};

/**
 * Redirects to the requested URI with `state`. Without a URI, or with `remaining`, renders the signed-out page, which links to the URI if there is one.
 *
 * @param remaining - The name of the provider where the person is still signed in.
 */
function afterSignOut(
  { destination }: Pick<LogoutRequest, 'destination'>,
  context: RequestContext,
  remaining?: string,
): RouteResponse {
  const location =
    destination?.state === undefined
      ? destination?.redirectUri
      : appendQuery(destination.redirectUri, { state: destination.state });
  return location === undefined || remaining !== undefined
    ? signedOutPage(languageOf(context), { remaining, location })
    : { kind: 'redirect', location };
}

/** Returns the binding of the confirmation form. */
function logoutBinding({ browserBinding, token }: SignedInPerson): FormBinding {
  return { browserBinding, purpose: 'logout', session: token };
}
