/** `GET /oauth/authorize`: a client sends a person's browser here to ask them (RFC 6749 §4.1.1). */
import { browserOf } from '../browser.js';
import { parseForm } from '../parameters/form.js';
import { redirectWithError } from '../redirect.js';
import { countAgainst, stateOf } from '../request-state.js';
import { BASE_PATH, queryStringOf, type Route } from './route.js';

export const oauthAuthorize: Route = {
  operations: {
    GET: {
      id: 'authorize',
      summary: 'Ask a person for what an application wants to know (RFC 6749 §4.1.1).',
      caller: 'anyone',
      parameters: 'AuthorizationParameters',
      answers: ['redirect'],
      errors: ['invalid_client', 'not_found'],
    },
  },
  path: `${BASE_PATH}/oauth/authorize`,
  crossOrigin: 'none',
  page: true,
  answer: async (request, service) => {
    const { key, headers } = browserOf(request, service);
    const parameters = parseForm(queryStringOf(request));
    const resumed = parameters.get('authorization_id');
    if (resumed !== undefined) {
      return { kind: 'redirect', location: consentUrl(resumed, service.settings.issuer), headers };
    }
    const state = stateOf(request);
    // Each request is stored, and nobody is authenticated.
    countAgainst('authorizations', state.address, state, service);
    const outcome = await service.requestAuthorization(parameters, key);
    if (outcome.kind === 'redirect') {
      return redirectWithError(outcome.error, outcome.redirectUri, outcome.state, service);
    }
    const location = consentUrl(outcome.authorization.id, service.settings.issuer);
    return { kind: 'redirect', location, headers };
  },
};

function consentUrl(authorizationId: string, issuer: string): string {
  return `${new URL(issuer).origin}/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
}
