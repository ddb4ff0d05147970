/** `POST /sign-out`: the person confirmed that they want to be signed out (S251, S257). */
import type { IncomingMessage } from 'node:http';
import { type FormBinding, type LogoutRequest, type Service, ServiceError } from '../../service/index.js';
import { appendQuery } from '../authorization-response.js';
import { assertSameOrigin, knownPerson, type PersonAtBrowser } from '../browser.js';
import { forgottenCookieHeader } from '../cookies.js';
import { signedOutPage } from '../pages/sign-out-page.js';
import { readForm } from '../parameters/body.js';
import type { Answer, Route } from './route.js';

export const signOut: Route = {
  operations: {
    POST: {
      id: 'confirmSignOut',
      summary: 'The person confirmed to sign out, from the page’s own form.',
      caller: 'anyone',
      body: { schema: 'SignOutForm', form: true },
      answers: ['redirect', 'page'],
      errors: ['invalid_client', 'post_logout_redirect_uri_mismatch'],
    },
  },
  path: '/sign-out',
  crossOrigin: 'none',
  page: true,
  answer: async (request, service) => await confirm(request, service),
};

async function confirm(request: IncomingMessage, service: Service): Promise<Answer> {
  assertSameOrigin(request, service);
  const form = await readForm(request);
  const person = await knownPerson(request, service);
  const asked = await service.checkLogoutRequest(form, person);
  if (person === undefined) return afterSignOut(asked);
  if (!service.isCsrfToken(form.get('proof'), logoutBinding(person))) throw new ServiceError('access_denied');
  return await endSession(person, asked, service);
}

/** Ends the person's sessions, has the browser forget its own, and goes on as the request says. */
export async function endSession(
  person: PersonAtBrowser,
  asked: LogoutRequest,
  service: Service,
): Promise<Answer> {
  await service.signOut(person);
  const answer = afterSignOut(asked);
  return { ...answer, headers: { ...answer.headers, ...forgottenCookieHeader('person', service) } };
}

/** Sends the browser to the registered URI with `state` and nothing else; without one, says that nobody is signed in here. */
export function afterSignOut({ destination }: LogoutRequest): Answer {
  if (destination === undefined) return signedOutPage();
  const { redirectUri, state } = destination;
  return {
    kind: 'redirect',
    location: state === undefined ? redirectUri : appendQuery(redirectUri, { state }),
  };
}

/** What the form of the confirmation page is rendered for. */
export function logoutBinding({ browserKey, token }: PersonAtBrowser): FormBinding {
  return { browserKey, purpose: 'logout', session: token };
}
