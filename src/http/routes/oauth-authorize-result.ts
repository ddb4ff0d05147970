/** `GET /oauth/authorize/result`: sends the browser back with an outcome that has no code (D4, S62). */
import { ServiceError } from '../../service/index.js';
import { respondWithDenial } from '../authorization-response.js';
import { knownBrowser } from '../browser.js';
import { parseForm } from '../parameters/form.js';
import { BASE_PATH, queryStringOf, type Route } from './route.js';

export const oauthAuthorizeResult: Route = {
  operations: {
    GET: {
      id: 'readAuthorizationResult',
      summary: 'Send the browser back with an outcome that has no code.',
      caller: 'anyone',
      parameters: 'ContextParameters',
      answers: ['redirect', 'page'],
      errors: ['not_found', 'invalid_transition'],
    },
  },
  path: `${BASE_PATH}/oauth/authorize/result`,
  crossOrigin: 'none',
  answer: async (request, service) => {
    const id = parseForm(queryStringOf(request)).get('authorization_id') ?? '';
    const { authorization } = await service.readAuthorization(id);
    if (!service.isBegunBy(authorization, knownBrowser(request, service)))
      throw new ServiceError('not_found');
    // A code was shown when it was made: here there is none to show.
    if (authorization.status !== 'denied')
      throw new ServiceError('invalid_transition', { status: authorization.status });
    return respondWithDenial(authorization, service);
  },
};
