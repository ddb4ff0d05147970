/** `/sign-in`: the sign-in page (V1, S65, S66). */
import { ServiceError } from '../../service/index.js';
import {
  assertSameOrigin,
  cookieHeader,
  findBoundAuthorization,
  findBrowserBinding,
  getOrCreateBrowser,
} from '../browser.js';
import { verifyPerson } from '../callers.js';
import { signInPage } from '../pages/sign-in-page.js';
import { parseForm, readForm } from '../parameters/body.js';
import { languageOf } from '../person-language.js';
import type { RequestContext } from '../request-context.js';
import { redirectToExternalSignIn } from './external-sign-in.js';
import { beginAtProvider } from './provider-sign-in.js';
import { pathAfterSignIn, type Route, type RouteResponse } from './route.js';

export const signIn: Route = {
  operations: {
    GET: {
      id: 'showSignIn',
      summary: 'The sign-in page.',
      caller: 'anyone',
      parameters: 'SignInParameters',
      responses: ['page', 'redirect'],
      errors: ['not_found', 'palm_verification_required', 'sign_in_unavailable'],
    },
    POST: {
      id: 'signIn',
      summary: 'Submit the form of the sign-in page.',
      caller: 'anyone',
      body: { schema: 'SignInForm', form: true },
      responses: ['redirect'],
    },
  },
  path: '/sign-in',
  crossOrigin: 'none',
  grantsAccess: true,
  page: true,
  handle: async (context) =>
    context.request.method === 'POST' ? await signInFromForm(context) : await show(context),
};

async function show(context: RequestContext): Promise<RouteResponse> {
  const parameters = parseForm(context.target.query);
  const authorizationId = parameters.get('authorization_id') ?? '';
  const { signInUrl: url } = context.service;
  if (url !== undefined) {
    const palm = parameters.get('verify') === 'palm';
    const reauthenticate = parameters.get('prompt') === 'login';
    return await redirectToExternalSignIn(context, { url, authorizationId, palm, reauthenticate });
  }
  if (context.service.sessions.listProviders(false).length > 0)
    return await beginAtProvider(context, parameters, authorizationId);
  return await renderPage(context, authorizationId, false);
}

async function signInFromForm(context: RequestContext): Promise<RouteResponse> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context);
  const browserBinding = findBrowserBinding(context);
  if (
    browserBinding === undefined ||
    !service.sessions.isCsrfToken(form.get('proof'), { browserBinding, purpose: 'sign-in' })
  )
    throw new ServiceError('access_denied');
  const authorizationId = form.get('authorization_id') ?? '';
  const person = await verifyPerson(form, context);
  if (person === undefined) return await renderPage(context, authorizationId, true);
  const pending = await findBoundAuthorization(browserBinding, authorizationId, service);
  const { token } = await service.sessions.signIn(person.id, browserBinding, {
    authenticatedAt: service.clock.now(),
    ...(pending === undefined ? {} : { authorizationId: pending.authorization.id }),
  });
  // Always a path of this service, so that this is not an open redirect.
  const location = languageOf(context).keepIn(pathAfterSignIn(authorizationId));
  return { kind: 'redirect', location, headers: cookieHeader('person', token, service) };
}

async function renderPage(
  context: RequestContext,
  authorizationId: string,
  rejected: boolean,
): Promise<RouteResponse> {
  const { service } = context;
  const { binding: browserBinding, headers } = getOrCreateBrowser(context);
  const people = await service.people.list();
  const pending = await findBoundAuthorization(browserBinding, authorizationId, service);
  return signInPage({
    language: languageOf(context, pending?.authorization.uiLocales),
    people,
    csrfToken: service.sessions.csrfToken({ browserBinding, purpose: 'sign-in' }),
    authorizationId,
    rejected,
    headers,
  });
}
