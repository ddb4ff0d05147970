/** `GET /oauth/authorize`: a client sends a person's browser here to ask them (RFC 6749 §4.1.1). */
import type { Service } from '../../service/index.js';
import { browserOf, knownPerson } from '../browser.js';
import { forgottenCookieHeader } from '../cookies.js';
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
    const browser = browserOf(request, service);
    const parameters = parseForm(queryStringOf(request));
    const resumed = parameters.get('authorization_id');
    if (resumed !== undefined) {
      return {
        kind: 'redirect',
        location: consentUrl(resumed, service.settings.issuer),
        headers: browser.headers,
      };
    }
    const state = stateOf(request);
    // Each request is stored, and nobody is authenticated.
    countAgainst('authorizations', state.address, state, service);
    const outcome = await service.requestAuthorization(parameters, browser.key);
    if (outcome.kind === 'redirect') {
      return redirectWithError(outcome.error, outcome.redirectUri, outcome.state, service);
    }
    const location = consentUrl(outcome.authorization.id, service.settings.issuer);
    // Who has to show anew who they are is not signed in any more. A browser that we have not known has nobody signed in.
    const person = await knownPerson(request, service);
    const headers =
      person !== undefined && asksForFreshSignIn(parameters, person.startedAt, service)
        ? forgottenCookieHeader('person', service)
        : browser.headers;
    return { kind: 'redirect', location, headers };
  },
};

/** `prompt=login`, or a `max_age` that the session is older than (OpenID Connect Core §3.1.2.1). */
function asksForFreshSignIn(
  parameters: ReadonlyMap<string, string>,
  startedAt: number,
  service: Service,
): boolean {
  if ((parameters.get('prompt') ?? '').split(' ').includes('login')) return true;
  const maxAge = parameters.get('max_age');
  return maxAge !== undefined && !(service.uptime().now - startedAt <= Number(maxAge) * 1_000);
}

function consentUrl(authorizationId: string, issuer: string): string {
  return `${new URL(issuer).origin}/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
}
