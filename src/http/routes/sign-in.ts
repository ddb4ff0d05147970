/** `/sign-in`: who one is, for the pages that have to know (V1, S65, S66). */
import type { IncomingMessage } from 'node:http';
import { type Service, ServiceError } from '../../service/index.js';
import { assertSameOrigin, browserOf, knownBrowser } from '../browser.js';
import { verifyPerson } from '../callers.js';
import { cookieHeader } from '../cookies.js';
import { signInPage } from '../pages/sign-in-page.js';
import { readForm } from '../parameters/body.js';
import { parseForm } from '../parameters/form.js';
import { type Answer, queryStringOf, type Route } from './route.js';
import { toOwnLogin } from './sign-in-return.js';

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

/** What the form's proof is about: no authorization's id is like it. */
const PROOF = 'sign-in';

async function show(request: IncomingMessage, service: Service): Promise<Answer> {
  const parameters = parseForm(queryStringOf(request));
  const authorizationId = parameters.get('authorization_id') ?? '';
  const { signInUrl } = service;
  if (signInUrl !== undefined) {
    const palm = parameters.get('verify') === 'palm';
    return toOwnLogin(request, signInUrl, authorizationId, palm, service);
  }
  return await pageOf(request, authorizationId, false, service);
}

async function enter(request: IncomingMessage, service: Service): Promise<Answer> {
  assertSameOrigin(request, service);
  const form = await readForm(request);
  const browserKey = knownBrowser(request, service);
  if (browserKey === undefined || !service.isFormProof(form.get('proof'), browserKey, PROOF))
    throw new ServiceError('access_denied');
  const authorizationId = form.get('authorization_id') ?? '';
  const person = await verifyPerson(form, request, service);
  if (person === undefined) return await pageOf(request, authorizationId, true, service);
  const headers = cookieHeader('person', service.openSession(person.id), service);
  // To pages of ours only: nobody can have the browser sent anywhere else from here.
  const location =
    authorizationId === '' ? '/grants' : `/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
  return { kind: 'redirect', location, headers };
}

async function pageOf(
  request: IncomingMessage,
  authorizationId: string,
  refused: boolean,
  service: Service,
): Promise<Answer> {
  const { key, headers } = browserOf(request, service);
  const people = await service.listPeople();
  return signInPage({ people, proof: service.formProof(key, PROOF), authorizationId, refused, headers });
}
