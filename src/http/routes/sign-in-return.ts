/** `GET /sign-in/return`: the deployment's own login sends a browser back, with a signed assertion of who signed in (V2, S65, S66). */
import { type Service, ServiceError } from '../../service/index.js';
import { authorizationBegunAt, knownBrowser } from '../browser.js';
import { cookieHeader } from '../cookies.js';
import { parseForm } from '../parameters/form.js';
import { UNTOLD } from './external-sign-in.js';
import { queryStringOf, type Route } from './route.js';

export const signInReturn: Route = {
  operations: {
    GET: {
      id: 'returnFromSignIn',
      summary: 'Back from the deployment’s own login, with an assertion of who signed in.',
      caller: 'anyone',
      parameters: 'SignInReturnParameters',
      answers: ['redirect'],
      errors: ['not_found', 'reauthentication_required'],
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
    const cookie = await enter(parameters.get('assertion') ?? '', browserKey, authorizationId, service);
    const location =
      authorizationId === '' ? '/grants' : `/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
    return { kind: 'redirect', location, headers: { ...cookieHeader('person', cookie, service), ...UNTOLD } };
  },
};

/** Signs in the person whom an assertion names. @returns What their cookie is to hold. */
async function enter(
  assertion: string,
  browserKey: string,
  authorizationId: string,
  service: Service,
): Promise<string> {
  const authorization = (await authorizationBegunAt(browserKey, authorizationId, service))?.authorization;
  const accepted = await service.acceptAssertion(assertion, { browserKey, authorizationId, authorization });
  if (accepted === undefined) throw new ServiceError('access_denied');
  const { person, authenticatedAt, palmVerified } = accepted;
  const { token } = await service.signIn(person.id, browserKey, {
    ...(authenticatedAt === undefined ? {} : { authenticatedAt }),
    ...(authorization === undefined ? {} : { authorizationId: authorization.id }),
  });
  if (palmVerified && authorization !== undefined)
    await service.recordPalmVerification(authorization.id, person.id);
  return token;
}
