/** `GET` and `POST /oauth/logout`: an application sends a person's browser here to sign them out (OpenID Connect RP-Initiated Logout 1.0). */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../../service/index.js';
import { knownPerson } from '../browser.js';
import { signOutPage } from '../pages/sign-out-page.js';
import { parseForm } from '../parameters/form.js';
import { redirectToGet } from './redirect-to-get.js';
import { type Answer, BASE_PATH, queryStringOf, type Route } from './route.js';
import { afterSignOut, endSession, logoutBinding } from './sign-out.js';

const PATH = `${BASE_PATH}/oauth/logout`;

export const oauthLogout: Route = {
  operations: {
    GET: {
      id: 'logout',
      summary: 'Sign a person out of the service (OpenID Connect RP-Initiated Logout 1.0).',
      caller: 'anyone',
      parameters: 'LogoutParameters',
      answers: ['redirect', 'page'],
      errors: ['invalid_client', 'post_logout_redirect_uri_mismatch'],
    },
    POST: {
      id: 'postLogout',
      summary: 'As GET, with the parameters in a form: sends the browser on to GET with the same parameters.',
      caller: 'anyone',
      body: { schema: 'LogoutParameters', form: true },
      answers: ['redirect'],
    },
  },
  path: PATH,
  crossOrigin: 'none',
  page: true,
  answer: async (request, service) =>
    request.method === 'POST' ? await redirectToGet(request, PATH, service) : await signOut(request, service),
};

async function signOut(request: IncomingMessage, service: Service): Promise<Answer> {
  const person = await knownPerson(request, service);
  const asked = await service.checkLogoutRequest(parseForm(queryStringOf(request)), person);
  if (person === undefined) return afterSignOut(asked);
  if (asked.isConfirmed) return await endSession(person, asked, service);
  return signOutPage({ ...asked, person, proof: service.csrfToken(logoutBinding(person)) });
}
