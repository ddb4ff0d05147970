/** `/sign-in`: who one is, for the pages that have to know (V1, S65, S66). */
import type { IncomingMessage } from 'node:http';
import { type Service, ServiceError } from '../../service/index.js';
import { assertSameOrigin, authorizationBegunAt, browserOf, cookieHeader, knownBrowser } from '../browser.js';
import { verifyPerson } from '../callers.js';
import { signInPage } from '../pages/sign-in-page.js';
import { parseForm, readForm } from '../parameters/body.js';
import { redirectToExternalSignIn } from './external-sign-in.js';
import { type Answer, queryStringOf, type Route } from './route.js';

export const signIn: Route = {
  operations: {
    GET: {
      id: 'showSignIn',
      summary: 'The page where a person says who they are.',
      caller: 'anyone',
      parameters: 'SignInParameters',
      answers: ['page', 'redirect'],
    },
    POST: {
      id: 'signIn',
      summary: 'Who a person is, from the page’s own form.',
      caller: 'anyone',
      body: { schema: 'SignInForm', form: true },
      answers: ['redirect'],
    },
  },
  path: '/sign-in',
  crossOrigin: 'none',
  page: true,
  answer: async (request, service) =>
    request.method === 'POST' ? await enter(request, service) : await show(request, service),
};

async function show(request: IncomingMessage, service: Service): Promise<Answer> {
  const parameters = parseForm(queryStringOf(request));
  const authorizationId = parameters.get('authorization_id') ?? '';
  const { signInUrl: url } = service;
  if (url !== undefined) {
    const palm = parameters.get('verify') === 'palm';
    return await redirectToExternalSignIn(request, { url, authorizationId, palm }, service);
  }
  return await pageOf(request, authorizationId, false, service);
}

async function enter(request: IncomingMessage, service: Service): Promise<Answer> {
  assertSameOrigin(request, service);
  const form = await readForm(request);
  const browserKey = knownBrowser(request, service);
  if (browserKey === undefined || !service.isCsrfToken(form.get('proof'), { browserKey, purpose: 'sign-in' }))
    throw new ServiceError('access_denied');
  const authorizationId = form.get('authorization_id') ?? '';
  const person = await verifyPerson(form, request, service);
  if (person === undefined) return await pageOf(request, authorizationId, true, service);
  const waiting = await authorizationBegunAt(browserKey, authorizationId, service);
  const { token } = await service.signIn(person.id, browserKey, {
    authenticatedAt: service.uptime().now,
    ...(waiting === undefined ? {} : { authorizationId: waiting.authorization.id }),
  });
  // To pages of ours only: nobody can have the browser sent anywhere else from here.
  const location =
    authorizationId === '' ? '/grants' : `/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
  return { kind: 'redirect', location, headers: cookieHeader('person', token, service) };
}

async function pageOf(
  request: IncomingMessage,
  authorizationId: string,
  refused: boolean,
  service: Service,
): Promise<Answer> {
  const { key, headers } = browserOf(request, service);
  const people = await service.listPeople();
  return signInPage({
    people,
    proof: service.csrfToken({ browserKey: key, purpose: 'sign-in' }),
    authorizationId,
    refused,
    headers,
  });
}
