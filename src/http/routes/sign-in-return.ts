/** `GET /sign-in/return`: the deployment's own login sends a browser back, with a signed word on who signed in (V2, S65, S66). */
import type { IncomingMessage } from 'node:http';
import { type Service, ServiceError } from '../../service/index.js';
import { browserOf, knownBrowser } from '../browser.js';
import { cookieHeader } from '../cookies.js';
import { parseForm } from '../parameters/form.js';
import { type Answer, queryStringOf, type Route } from './route.js';

export const signInReturn: Route = {
  operations: {
    GET: {
      id: 'returnFromSignIn',
      summary: 'Back from the deployment’s own login, with an assertion of who signed in.',
      caller: 'anyone',
      parameters: 'SignInReturnParameters',
      answers: ['redirect'],
      errors: ['not_found'],
    },
  },
  path: '/sign-in/return',
  crossOrigin: 'none',
  page: true,
  answer: async (request, service) => {
    if (service.signInUrl === undefined) throw new ServiceError('not_found');
    const parameters = parseForm(queryStringOf(request));
    const authorizationId = parameters.get('authorization_id') ?? '';
    const browserKey = knownBrowser(request, service);
    // A browser that nobody sent away from here has nothing to come back with.
    if (browserKey === undefined) throw new ServiceError('access_denied');
    const accepted = await service.acceptAssertion(
      parameters.get('assertion') ?? '',
      nonceOf(browserKey, authorizationId, service),
    );
    if (accepted === undefined) throw new ServiceError('access_denied');
    if (accepted.palmVerified && authorizationId !== '') {
      const { authorization } = await service.readAuthorization(authorizationId);
      if (service.isBegunBy(authorization, browserKey)) await service.recordPalmVerification(authorizationId);
    }
    const location =
      authorizationId === '' ? '/grants' : `/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
    return {
      kind: 'redirect',
      location,
      headers: { ...cookieHeader('person', service.openSession(accepted.person.id), service), ...UNTOLD },
    };
  },
};

/** The address that a browser leaves holds the assertion: used up, but nobody's business. */
const UNTOLD = { 'Referrer-Policy': 'no-referrer' };

/** Sends a browser to the deployment's own login. @param palm - Whether the person has to be verified by palm there. */
export function toOwnLogin(
  request: IncomingMessage,
  url: string,
  authorizationId: string,
  palm: boolean,
  service: Service,
): Answer {
  const { key, headers } = browserOf(request, service);
  const back = new URL('/sign-in/return', service.settings.issuer);
  if (authorizationId !== '') back.searchParams.set('authorization_id', authorizationId);
  const target = new URL(url);
  target.searchParams.set('nonce', nonceOf(key, authorizationId, service));
  target.searchParams.set('return_to', back.href);
  if (palm) target.searchParams.set('verify', 'palm');
  return { kind: 'redirect', location: target.href, headers: { ...headers, ...UNTOLD } };
}

/** What ties an attempt to the browser that makes it, so that nobody signs another's browser in as themselves. */
function nonceOf(browserKey: string, authorizationId: string, service: Service): string {
  return service.formProof(browserKey, `own-login:${authorizationId}`);
}
