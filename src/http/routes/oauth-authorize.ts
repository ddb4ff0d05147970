/** `GET` and `POST /oauth/authorize`: a client sends a person's browser here to ask them (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
import { respondWithError } from '../authorization-response.js';
import { browserOf } from '../browser.js';
import { parseForm } from '../parameters/form.js';
import { countAgainst, stateOf } from '../request-state.js';
import { redirectToGet } from './redirect-to-get.js';
import { BASE_PATH, queryStringOf, type Route } from './route.js';

const PATH = `${BASE_PATH}/oauth/authorize`;

export const oauthAuthorize: Route = {
  operations: {
    GET: {
      id: 'authorize',
      summary: 'Ask a person for what an application wants to know (RFC 6749 §4.1.1).',
      caller: 'anyone',
      parameters: 'AuthorizationParameters',
      answers: ['redirect', 'page'],
      errors: ['invalid_client', 'redirect_uri_mismatch', 'invalid_request_uri'],
    },
    POST: {
      id: 'postAuthorize',
      summary: 'As GET, with the parameters in a form: sends the browser on to GET with the same parameters.',
      caller: 'anyone',
      body: { schema: 'AuthorizationParameters', form: true },
      answers: ['redirect'],
    },
  },
  path: PATH,
  crossOrigin: 'none',
  page: true,
  answer: async (request, service) => {
    if (request.method === 'POST') return await redirectToGet(request, PATH, service);
    const { key, headers } = browserOf(request, service);
    const parameters = parseForm(queryStringOf(request));
    // Beside a `request_uri`, every parameter but `client_id` is ignored (RFC 9101 §5).
    const resumed = parameters.has('request_uri') ? undefined : parameters.get('authorization_id');
    if (resumed !== undefined) {
      return { kind: 'redirect', location: consentUrl(resumed, service.settings.issuer), headers };
    }
    const state = stateOf(request);
    // Each request is stored, and nobody is authenticated.
    countAgainst('authorizations', state.address, state, service);
    const outcome = await service.requestAuthorization(parameters, key);
    if (outcome.kind === 'redirect') {
      return respondWithError(outcome.error, outcome.destination, service);
    }
    const location = consentUrl(outcome.authorization.id, service.settings.issuer);
    return { kind: 'redirect', location, headers };
  },
};

function consentUrl(authorizationId: string, issuer: string): string {
  return `${new URL(issuer).origin}/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
}
