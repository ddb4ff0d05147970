/** `/sign-in`: the page where a person signs in (V1, S65, S66). */
import { ServiceError } from '../../service/index.js';
import { assertSameOrigin, authorizationBegunAt, browserOf, cookieHeader, knownBrowser } from '../browser.js';
import { verifyPerson } from '../callers.js';
import { signInPage } from '../pages/sign-in-page.js';
import { parseForm, readForm } from '../parameters/body.js';
import type { RequestContext } from '../request-context.js';
import { redirectToExternalSignIn } from './external-sign-in.js';
import { type Answer, pathAfterSignIn, type Route } from './route.js';

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
  answer: async (context) => (context.request.method === 'POST' ? await enter(context) : await show(context)),
};

async function show(context: RequestContext): Promise<Answer> {
  const parameters = parseForm(context.target.query);
  const authorizationId = parameters.get('authorization_id') ?? '';
  const { signInUrl: url } = context.service;
  if (url !== undefined) {
    const palm = parameters.get('verify') === 'palm';
    return await redirectToExternalSignIn(context, { url, authorizationId, palm });
  }
  return await pageOf(context, authorizationId, false);
}

async function enter(context: RequestContext): Promise<Answer> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context);
  const browserKey = knownBrowser(context);
  if (
    browserKey === undefined ||
    !service.sessions.isCsrfToken(form.get('proof'), { browserKey, purpose: 'sign-in' })
  )
    throw new ServiceError('access_denied');
  const authorizationId = form.get('authorization_id') ?? '';
  const person = await verifyPerson(form, context);
  if (person === undefined) return await pageOf(context, authorizationId, true);
  const waiting = await authorizationBegunAt(browserKey, authorizationId, service);
  const { token } = await service.sessions.signIn(person.id, browserKey, {
    authenticatedAt: service.clock.now(),
    ...(waiting === undefined ? {} : { authorizationId: waiting.authorization.id }),
  });
  // To pages of ours only: nobody can have the browser sent anywhere else from here.
  const location = pathAfterSignIn(authorizationId);
  return { kind: 'redirect', location, headers: cookieHeader('person', token, service) };
}

async function pageOf(context: RequestContext, authorizationId: string, refused: boolean): Promise<Answer> {
  const { service } = context;
  const { key, headers } = browserOf(context);
  const people = await service.people.list();
  return signInPage({
    people,
    proof: service.sessions.csrfToken({ browserKey: key, purpose: 'sign-in' }),
    authorizationId,
    refused,
    headers,
  });
}
